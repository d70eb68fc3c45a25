// The story, told with openapi-fetch and the types that openapi-typescript generates.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { components, paths } from './generated';

type Board = components['schemas']['Board'];
const { BASE_URL = '', API_KEY = '', MEMBER = '', MEMBER_TOKEN, SUPPORT_TOKEN, PBN_FILE = '' } = process.env;

// A client takes one type of answers: JSON, where a list is also to be had as a stream of lines.
const json = (headers = {}) => createClient<paths, 'application/json'>({ baseUrl: BASE_URL, headers });
const anybody = json();
const caller = json({ Authorization: `Bearer ${MEMBER_TOKEN}` });
const support = json({ Authorization: `Bearer ${SUPPORT_TOKEN}` });
const service = json({ 'X-API-Key': API_KEY });
const files = createClient<paths>({ baseUrl: BASE_URL });

const dataOf = <T>(answer: { data?: T; error?: unknown }): T => {
  assert.ok(answer.data !== undefined, JSON.stringify(answer.error));
  return answer.data;
};

async function* readBoards() {
  const seen: string[] = [];
  for (let page = 1, more = true; more; page += 1) {
    const query = { page, pageSize: 7, sort: 'top' } as const;
    const answer = dataOf(await anybody.GET('/api/boards', { params: { query } }));
    seen.push(...answer.boards.map((board) => board.id));
    more = answer.pagination.hasMore;
    assert.ok(more || (seen.length === answer.pagination.totalCount && new Set(seen).size === seen.length));
  }
  yield 'pages';

  const read: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: { after: string; pageSize: number } = { after, pageSize: 7 };
    const answer = dataOf(await anybody.GET('/api/boards', { params: { query } }));
    read.push(...answer.boards.map((board) => board.id));
    after = answer.pagination.nextCursor;
  }
  assert.deepEqual(read.sort(), seen.sort());
  assert.ok(read.length > 7);
  yield 'cursors';
}

async function* vote() {
  const { boards } = dataOf(await caller.GET('/api/boards', { params: { query: { pageSize: 3 } } }));
  assert.deepEqual(boards.map((board) => board.ownVote), [null, null, null]);
  yield 'own votes';

  const boardId = boards[0]!.id;
  const before = boards[0]!.votes.up;
  for (const [choice, ups] of [['up', 1], ['none', 0]] as const) {
    const done = await caller.PUT('/api/voting/{boardId}', { params: { path: { boardId } }, body: { vote: choice } });
    assert.equal(done.response.status, 204);
    const board = dataOf(await caller.GET('/api/boards/{id}', { params: { path: { id: boardId } } }));
    assert.equal(board.votes.up, before + ups);
    const own = dataOf(await caller.GET('/api/voting', { params: { query: { boardIds: boardId } } }));
    assert.equal(own.votes[boardId], ups ? 'up' : undefined);
  }
  yield 'vote';
}

async function* collect() {
  const { boards } = dataOf(await anybody.GET('/api/boards', { params: { query: { pageSize: 2 } } }));
  const [first, second] = boards.map((board) => board.id) as [string, string];
  const body = { title: `Lesson of ${MEMBER}`, boards: [{ boardId: first, note: 'Begin here.' }] };
  const made = await caller.POST('/api/collections', { body });
  const { id } = dataOf(made);
  const place = { params: { path: { id, boardId: second } }, body: { position: 1 } };
  assert.equal((await caller.PUT('/api/collections/{id}/boards/{boardId}', place)).response.status, 204);
  const header = { 'If-Match': made.response.headers.get('ETag') ?? '' };
  const change = { params: { path: { id }, header }, body: { visibility: 'public' } } as const;
  assert.equal((await caller.PATCH('/api/collections/{id}', change)).error?.code, 'precondition_failed');
  const lesson = dataOf(await caller.GET('/api/collections/{id}', { params: { path: { id } } }));
  assert.deepEqual(lesson.boards.map((entry) => entry.boardId), [second, first]);
  const known = { collection: id, ids: `${second},${first}` };
  const listed = dataOf(await caller.GET('/api/boards', { params: { query: known } }));
  assert.deepEqual(listed.boards.map((board) => board.id), [first, second]);
  const full = { params: { path: { id }, query: { boards: 'full' } } } as const;
  const whole = dataOf(await caller.GET('/api/collections/{id}', full));
  assert.deepEqual(whole.boards.map((entry) => entry.board?.id), [second, first]);
  yield 'collected boards';

  const unknown = await anybody.GET('/api/collections/{id}', { params: { path: { id } } });
  assert.equal(unknown.error?.code, 'not_found');
  yield 'collect';
}

async function* editAccount() {
  const answer = await caller.GET('/api/accounts/me');
  assert.equal(dataOf(answer).id, MEMBER);
  yield 'me';

  const header = { 'If-Match': answer.response.headers.get('ETag') ?? '' };
  const change = { params: { path: { id: MEMBER }, header }, body: { displayName: 'Ada' } };
  assert.equal(dataOf(await caller.PATCH('/api/accounts/{id}', change)).displayName, 'Ada');
  const stale = await caller.PATCH('/api/accounts/{id}', change);
  assert.equal(stale.error?.code, 'precondition_failed');
  yield 'edit';
}

async function* importBoards() {
  const file = readFileSync(PBN_FILE, 'utf8');
  const raw = await service.POST('/api/deals/import', {
    params: { query: { publish: true } },
    body: file,
    bodySerializer: (body) => body,
    headers: { 'Content-Type': 'application/x-pbn' },
  });
  assert.equal(dataOf(raw).boardIds.length, 1);
  yield 'import a file';

  const answer = await service.POST('/api/deals/import', {
    body: { file, userId: MEMBER, publish: false, atomic: true, dryRun: false, strict: false, renumbered: false },
    bodySerializer: (body) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(body)) form.append(name, name === 'file' ? new Blob([file]) : `${value}`);
      return form;
    },
  });
  const report = dataOf(answer);
  assert.deepEqual([report.boards, report.failed], [1, []]);
  yield 'import a form';

  const path = { dealId: report.dealIds[0]!, id: report.boardIds[0]! };
  const draft = await service.GET('/api/deals/{dealId}/boards/{id}', { params: { path } });
  assert.equal(dataOf(draft).publishedAt, null);
  const header = { 'If-Match': draft.response.headers.get('ETag') ?? '' };
  const published = await service.PATCH('/api/deals/{dealId}/boards/{id}', {
    params: { path, header },
    body: { published: true },
  });
  const board: Board = dataOf(published);
  assert.ok(board.publishedAt);
  yield 'publish';

  const asText = { params: { path: { id: board.id } }, parseAs: 'text' } as const;
  assert.ok(dataOf(await files.GET('/api/boards/{id}.pbn', asText)).includes('[Deal '));
  yield 'pbn';
  assert.ok(dataOf(await files.GET('/api/boards/{id}.svg', asText)).includes('<svg'));
  yield 'svg';
}

async function* impersonate() {
  const body = { accountId: MEMBER, reason: 'A question about a vote.', ttlMinutes: 5 };
  const { impersonationId, actorId } = dataOf(await support.POST('/api/impersonation/start', { body }));
  const header = { 'X-Impersonation-Id': impersonationId };
  assert.equal(dataOf(await support.GET('/api/accounts/me', { params: { header } })).id, MEMBER);
  const refused = await support.PATCH('/api/accounts/{id}', {
    params: { path: { id: MEMBER }, header },
    body: { displayName: 'Bob' },
  });
  assert.equal(refused.error?.code, 'impersonation_read_only');
  yield 'impersonate';

  const stopped = await support.POST('/api/impersonation/stop', { body: { impersonationId } });
  assert.equal(dataOf(stopped).actorId, actorId);
  yield 'stop';
}

const letter = { name: 'Ada', email: 'ada@example.org', subject: MEMBER, message: 'Thank you.' };

async function* sendForm() {
  assert.equal(dataOf(await anybody.POST('/api/forms/contact', { body: letter })).form, 'contact');
  yield 'form';
}

async function* tellErrorsApart() {
  const invalid = await anybody.POST('/api/forms/contact', { body: { ...letter, email: 'nobody' } });
  assert.equal(invalid.error?.code, 'validation_error');
  assert.ok('email' in (invalid.error.meta.fields as object));
  const unknown = await support.PATCH('/api/accounts/{id}', { params: { path: { id: 'nobody' } }, body: {} });
  assert.equal(unknown.error?.code, 'not_found');
  yield 'errors';
}

async function tell() {
  for (const chapter of [readBoards, vote, collect, editAccount, importBoards, impersonate, sendForm, tellErrorsApart]) {
    for await (const step of chapter()) console.log(step);
  }
}

void tell();
