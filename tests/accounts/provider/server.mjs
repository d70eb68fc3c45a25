// An OpenID provider on loopback: npm's oidc-provider, told by one line of JSON on stdin, which also ends it.
//
// {port, keys, clients, people, moreClients}: the port or 0; private JWKs, of which the first of a kind signs; client id
// -> the algorithm of its tokens; account id -> claims of its access tokens; the metadata of other clients. Prints
// {issuer} once it listens.
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
const { port, keys, clients, people, moreClients } = JSON.parse(line);
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
  extraTokenClaims: (context, token) => people[token.accountId],
});

server.on('request', provider.callback());
console.log(JSON.stringify({ issuer }));
