// An OpenID provider on loopback: npm's oidc-provider, told by one line of JSON on stdin, which also ends it.
//
// {port, keys, clients, people, moreClients, logins, namesInIdTokens}: the port or 0; private JWKs, of which the first of a
// kind signs; client id -> the algorithm of its tokens; account id -> claims of its tokens; the metadata of other clients;
// account id -> the class and the methods of its logins, {acr, amr}; whether ID tokens have the names, as those of most
// providers do, or the UserInfo endpoint alone. Prints {issuer} once it listens.
// Runs in the folder whose node_modules has the package: imports would look beside this file.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const installed = createRequire(`${process.cwd()}/`).resolve('oidc-provider');
const { default: Provider } = await import(pathToFileURL(installed));

const input = createInterface({ input: process.stdin });
const [line] = await once(input, 'line');
const { port, keys, clients, people, moreClients, logins, namesInIdTokens } = JSON.parse(line);
input.on('close', () => process.exit());

const server = createServer().listen(port, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
  jwks: { keys },
  cookies: { keys: ['of a provider for tests'] },
  clients: [
    ...Object.entries(clients).map(([id, algorithm]) => ({
      client_id: id,
      redirect_uris: ['https://web.example/signed-in'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: algorithm,
    })),
    ...moreClients,
  ],
  // oidc-provider's own pages: whatever name is typed in is signed in, then asked for consent.
  features: {
    backchannelLogout: { enabled: true },
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (context, resource, client) => ({
        scope: 'boards',
        audience: resource,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: clients[client.clientId] } },
      }),
    },
  },
  conformIdTokenClaims: !namesInIdTokens,
  findAccount: (context, id) => ({ accountId: id, claims: () => ({ ...people[id], sub: id }) }),
  claims: {
    openid: ['sub', 'amr'],
    profile: ['name', 'given_name', 'family_name', 'locale'],
    email: ['email', 'email_verified'],
  },
  // Logout tokens go to this machine, which the provider's own dispatcher refuses.
  fetch: (url, { dispatcher, ...options }) => fetch(url, options),
  ttl: { AuthorizationCode: (context, code, client) => (client.clientId.endsWith('-hurried') ? 1 : 60) },
  acrValues: [...new Set(Object.values(logins).map(({ acr }) => acr))],
  extraTokenClaims: (context, token) => people[token.accountId],
});

const finish = provider.interactionFinished.bind(provider);
provider.interactionFinished = (request, response, { login, ...others }, options) =>
  finish(request, response, login ? { login: { ...login, ...logins[login.accountId] } } : others, options);

server.on('request', provider.callback());
console.log(JSON.stringify({ issuer }));
