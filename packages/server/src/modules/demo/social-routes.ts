import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearerOf } from '../../http/auth-hook.ts'
import {
  personIn,
  STAND_IN_PATH,
  STOOD_IN_FOR,
  type StandIn,
  type StoodInFor,
} from '../../ports/social-login/stand-in.ts'

const NAMES = { google: 'Google', facebook: 'Facebook' } as const satisfies Record<StoodInFor, string>
/** The page is a form that leads back to this site, and loads nothing. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** A name that is given twice comes as a list. */
type Query = Readonly<Record<string, unknown>>

/** The demo's stand-in for social networks: a page to choose a person, and the calls that check its tokens. */
export function socialRoutes(app: FastifyInstance, standIn: StandIn): void {
  for (const network of STOOD_IN_FOR) {
    const path = `${STAND_IN_PATH}/${network}`

    app.get(`${path}/auth`, (request, reply) => {
      const query = request.query as Query // the router's
      if (!standIn.isOurs(network, query)) return sendPage(reply, 400, wrongPage(network))
      const isAsked = 'agree' in query || 'cancel' in query
      const person = 'agree' in query ? personIn(query) : null
      if (!isAsked || ('agree' in query && person === null)) return sendPage(reply, 200, loginPage(network, query))
      return reply.redirect(standIn.answerTo(network, textOf(query, 'state'), person), 303)
    })

    app.get(`${path}/:call`, (request: FastifyRequest, reply) => {
      const { call } = request.params as { call: string } // the path's
      const bearer = bearerOf(request.headers.authorization)
      const token = typeof bearer === 'object' ? bearer.token : undefined
      const answer = standIn.answerCall(network, call, request.query as Query, token)
      return answer === null ? reply.code(400).send({ error: 'invalid_token' }) : reply.send(answer)
    })
  }
}

function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html)
}

function wrongPage(network: StoodInFor): string {
  return page(network, `<p>This is not a login of this site.</p>`)
}

function loginPage(network: StoodInFor, query: Query): string {
  const kept = ['client_id', 'redirect_uri', 'state']
    .map((name) => `<input type="hidden" name="${name}" value="${escaped(textOf(query, name))}">`)
    .join('')
  return page(
    network,
    `<p>This demo has no application at ${NAMES[network]}. This page stands in for it: pick any name.</p>
    <form method="get">${kept}
    <label>Name <input name="name" value="demo" required maxlength="50" pattern="[\\w .\\-]+" autofocus></label>
    <label>Email <input name="email" type="email" value="demo@example.org"></label>
    ${network === 'google' ? '<label><span><input name="verified" type="checkbox" checked> The email address is verified</span></label>' : ''}
    <button name="agree" value="1">Continue</button> <button name="cancel" value="1" formnovalidate>Cancel</button>
    </form>`,
  )
}

function page(network: StoodInFor, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>Stand-in for ${NAMES[network]}</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:24rem;margin:2rem auto;padding:0 1rem}
label{display:grid;gap:.25rem;margin:1rem 0}input,button{font:inherit;padding:.5rem}</style></head>
<body><main><h1>Stand-in for ${NAMES[network]}</h1>${body}</main></body></html>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function textOf(query: Query, name: string): string {
  const value = query[name]
  return typeof value === 'string' ? value : ''
}
