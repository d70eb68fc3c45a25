// The story, told with the functions that @hey-api/openapi-ts generates.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as api from './generated';
import { createClient } from './generated/client';

const { BASE_URL = '', API_KEY = '', MEMBER = '', MEMBER_TOKEN, SUPPORT_TOKEN, PBN_FILE = '' } = process.env;

const as = (auth?: string) => createClient({ baseUrl: BASE_URL, ...(auth ? { auth } : {}) });
const anybody = as();
const caller = as(MEMBER_TOKEN);
const support = as(SUPPORT_TOKEN);
const service = as(API_KEY);

const dataOf = <T>(answer: { data?: T; error?: unknown }): NonNullable<T> => {
  assert.ok(answer.data !== undefined && answer.data !== null, JSON.stringify(answer.error));
  return answer.data;
};

async function* readBoards() {
  const seen: string[] = [];
  for (let page = 1, more = true; more; page += 1) {
    const answer = dataOf(await api.listBoards({ client: anybody, query: { page, pageSize: 7, sort: 'top' } }));
    seen.push(...answer.boards.map((board) => board.id));
    more = answer.pagination.hasMore;
    assert.ok(more || (seen.length === answer.pagination.totalCount && new Set(seen).size === seen.length));
  }
  yield 'pages';

  const read: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const answer: api.BoardPage = dataOf(await api.listBoards({ client: anybody, query: { after, pageSize: 7 } }));
    read.push(...answer.boards.map((board) => board.id));
    after = answer.pagination.nextCursor;
  }
  assert.deepEqual(read.sort(), seen.sort());
  assert.ok(read.length > 7);
  yield 'cursors';
}

async function* vote() {
  const { boards } = dataOf(await api.listBoards({ client: caller, query: { pageSize: 3 } }));
  assert.deepEqual(boards.map((board) => board.ownVote), [null, null, null]);
  yield 'own votes';

  const boardId = boards[0]!.id;
  const before = boards[0]!.votes.up;
  for (const [choice, ups] of [['up', 1], ['none', 0]] as const) {
    const done = await api.setVote({ client: caller, path: { boardId }, body: { vote: choice } });
    assert.equal(done.response?.status, 204);
    const board = dataOf(await api.getBoard({ client: caller, path: { id: boardId } }));
    assert.equal(board.votes.up, before + ups);
    const own = dataOf(await api.getMyVotes({ client: caller, query: { boardIds: boardId } }));
    assert.equal(own.votes[boardId], ups ? 'up' : undefined);
  }
  yield 'vote';
}

async function* collect() {
  const { boards } = dataOf(await api.listBoards({ client: anybody, query: { pageSize: 2 } }));
  const [first, second] = boards.map((board) => board.id) as [string, string];
  const body = { title: `Lesson of ${MEMBER}`, boards: [{ boardId: first, note: 'Begin here.' }] };
  const made = await api.createCollection({ client: caller, body });
  const { id } = dataOf(made);
  const put = { client: caller, path: { id, boardId: second }, body: { position: 1 } };
  assert.equal((await api.addBoardToCollection(put)).response?.status, 204);
  const headers = { 'If-Match': made.response?.headers.get('ETag') ?? '' };
  const stale = await api.updateCollection({ client: caller, path: { id }, headers, body: { visibility: 'public' } });
  assert.equal(stale.error?.code, 'precondition_failed');
  const lesson = dataOf(await api.getCollection({ client: caller, path: { id } }));
  assert.deepEqual(lesson.boards.map((entry) => entry.boardId), [second, first]);
  const listed = dataOf(await api.listBoards({ client: caller, query: { collection: id, ids: `${second},${first}` } }));
  assert.deepEqual(listed.boards.map((board) => board.id), [first, second]);
  const whole = dataOf(await api.getCollection({ client: caller, path: { id }, query: { boards: 'full' } }));
  assert.deepEqual(whole.boards.map((entry) => entry.board?.id), [second, first]);
  yield 'collected boards';

  const unknown = await api.getCollection({ client: anybody, path: { id } });
  assert.equal(unknown.error?.code, 'not_found');
  yield 'collect';
}

async function* editAccount() {
  const answer = await api.getMyAccount({ client: caller });
  assert.equal(dataOf(answer).id, MEMBER);
  yield 'me';

  const change = {
    client: caller,
    path: { id: MEMBER },
    headers: { 'If-Match': answer.response?.headers.get('ETag') ?? '' },
    body: { displayName: 'Ada' },
  };
  assert.equal(dataOf(await api.updateAccount(change)).displayName, 'Ada');
  const stale = await api.updateAccount(change);
  assert.equal(stale.error?.code, 'precondition_failed');
  yield 'edit';
}

async function* importBoards() {
  const file = new Blob([readFileSync(PBN_FILE)]);
  const raw = await api.importDeals({ client: service, body: file, query: { publish: true } });
  assert.equal(dataOf(raw).boardIds.length, 1);
  yield 'import a file';

  // Of several types of a body, the first one gets the function. This sends another.
  const answer = await api.importDeals({
    client: service,
    body: file,
    bodySerializer: () => {
      const form = new FormData();
      form.append('file', file, 'boards.pbn');
      form.append('userId', MEMBER);
      return form;
    },
    headers: { 'Content-Type': null },
  });
  const report = dataOf(answer);
  assert.deepEqual([report.boards, report.failed], [1, []]);
  yield 'import a form';

  const place = { client: service, path: { dealId: report.dealIds[0]!, id: report.boardIds[0]! } };
  const draft = await api.getDealBoard(place);
  assert.equal(dataOf(draft).publishedAt, null);
  const headers = { 'If-Match': draft.response?.headers.get('ETag') ?? '' };
  const board = dataOf(await api.updateBoard({ ...place, headers, body: { published: true } }));
  assert.ok(board.publishedAt);
  yield 'publish';

  const pbn = dataOf(await api.getBoardAsPbn({ client: anybody, path: { id: board.id } }));
  assert.ok((await pbn.text()).includes('[Deal '));
  yield 'pbn';
  const svg = dataOf(await api.getBoardAsSvg({ client: anybody, path: { id: board.id } }));
  assert.ok((await svg.text()).includes('<svg'));
  yield 'svg';
}

async function* impersonate() {
  const body = { accountId: MEMBER, reason: 'A question about a vote.' };
  const { impersonationId, actorId } = dataOf(await api.startImpersonation({ client: support, body }));
  const headers = { 'X-Impersonation-Id': impersonationId };
  assert.equal(dataOf(await api.getMyAccount({ client: support, headers })).id, MEMBER);
  const change = { path: { id: MEMBER }, body: { displayName: 'Bob' } };
  const refused = await api.updateAccount({ client: support, headers, ...change });
  assert.equal(refused.error?.code, 'impersonation_read_only');
  yield 'impersonate';

  const stopped = await api.stopImpersonation({ client: support, body: { impersonationId } });
  assert.equal(dataOf(stopped).actorId, actorId);
  yield 'stop';
}

const letter = { name: 'Ada', email: 'ada@example.org', subject: MEMBER, message: 'Thank you.' };

async function* sendForm() {
  assert.equal(dataOf(await api.sendContactForm({ client: anybody, body: letter })).form, 'contact');
  yield 'form';
}

async function* tellErrorsApart() {
  const invalid = await api.sendContactForm({ client: anybody, body: { ...letter, email: 'nobody' } });
  assert.equal(invalid.error?.code, 'validation_error');
  assert.ok('email' in (invalid.error.meta.fields as object));
  const unknown = await api.updateAccount({ client: support, path: { id: 'nobody' }, body: {} });
  assert.equal(unknown.error?.code, 'not_found');
  yield 'errors';
}

async function tell() {
  for (const chapter of [readBoards, vote, collect, editAccount, importBoards, impersonate, sendForm, tellErrorsApart]) {
    for await (const step of chapter()) console.log(step);
  }
}

void tell();
