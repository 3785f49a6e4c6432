import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { connectTo } from '../bench/load/baselines.ts'
import type { Endpoint } from '../hostile/endpoints.ts'

/** A site on loopback with faults that the scanners must find. It gives meaning to an empty result for the product. */
interface LeakySite {
  readonly port: number
  /** The call whose parameter goes into a statement unescaped, described for sqlmap. */
  readonly endpoint: Endpoint
  /** The pages whose parameters wapiti tests. */
  readonly starts: readonly string[]
  close(): Promise<void>
}

/** Wapiti's modules with something to find here, and the names of their findings. */
export const PLANTED: Readonly<Record<string, RegExp>> = {
  blindsql: /^Blind SQL Injection: .* of /,
  csp: /CSP/,
  exec: /^Command execution: .* host /,
  file: /^Path Traversal: .* file /,
  permanentxss: /stored|permanent/i,
  redirect: /^Open Redirect: .* to /,
  sql: /^SQL Injection: .* id /,
  xss: /^Cross Site Scripting: .* text /,
}

const DATABASE = 'leaky'
const ENDPOINT: Endpoint = {
  name: 'readArticle',
  method: 'GET',
  path: '/articles/{id}',
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 3 } }],
  body: null,
  access: 'anyone',
  produces: 'text/html',
  answers: new Map(),
}

/** Opens the site, with its own database on the PostgreSQL of a product's data folder. */
export async function openLeakySite(dataDir: string): Promise<LeakySite> {
  const admin = await connectTo(dataDir)
  await admin.query(`create database ${DATABASE}`)
  await admin.end()
  const first = await connectTo(dataDir, DATABASE)
  await first.query(`create table articles (id int primary key, title text not null)`)
  await first.query(`insert into articles values (1, 'One'), (2, 'Two'), (3, 'Three')`)
  const { host, port, user } = first
  await first.end()
  const pool = new pg.Pool({ host, port, user, database: DATABASE, max: 8 })
  const comments: string[] = []

  /** @returns the page, or the address it redirects to */
  async function answer(url: URL): Promise<{ html: string } | { location: string }> {
    const value = (name: string): string => url.searchParams.get(name) ?? ''
    switch (url.pathname.split('/')[1] ?? '') {
      case 'articles': {
        const id = decodeURIComponent(url.pathname.split('/')[2] ?? '') || value('id')
        const { rows } = await pool.query<{ title: string }>(`select title from articles where id = ${id}`)
        return { html: rows.map(({ title }) => `<h1>${title}</h1>`).join('') || 'There is no such article.' }
      }
      case 'columns': {
        const { rows } = await pool.query<{ column: string }>(`select ${value('of')} as column from articles limit 1`)
        return { html: rows.map(({ column }) => column).join('') }
      }
      case 'search':
        return { html: `<p>Nothing was found for ${value('text')}.</p>` }
      case 'comment':
        if (value('text') !== '') comments.push(value('text'))
        return { html: `<form><input name="text"><button>Say it</button></form>${comments.slice(-50).join('<hr>')}` }
      case 'go':
        return { location: value('to') }
      case 'show':
        // Shows what a page that opens any file would show of the file every scanner requests. No file is opened.
        return { html: value('file').endsWith('etc/passwd') ? 'root:x:0:0:root:/root:/bin/bash' : 'No file.' }
      case 'run':
        // Prints what a page that passes its parameter to a shell would print. Nothing is run.
        return { html: /[;|&\n`]\s*env\b|\$\(env\)/.test(value('host')) ? 'PATH=/usr/bin\nPWD=/\n' : 'up' }
      default:
        return { html: STARTS.map((start) => `<a href="${start}">${start}</a>`).join(' ') }
    }
  }

  const server = createServer((request, response) => {
    answer(new URL(request.url ?? '/', 'http://127.0.0.1')).then(
      (page) => {
        if ('html' in page) response.writeHead(200, { 'content-type': 'text/html' }).end(page.html)
        else response.writeHead(302, { location: encodeURI(page.location) }).end()
      },
      // Worded so that scanners recognise a database error.
      (error: unknown) => {
        const text = error instanceof Error ? error.message : String(error)
        response.writeHead(200, { 'content-type': 'text/html' }).end(`PostgreSQL query failed: ${text}`)
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    endpoint: ENDPOINT,
    starts: STARTS,
    async close() {
      server.closeAllConnections()
      server.close()
      await pool.end()
    },
  }
}

const STARTS = [
  '/articles?id=1',
  '/columns?of=title',
  '/search?text=numbers',
  '/comment?text=hello',
  '/go?to=/',
  '/show?file=rules.txt',
  '/run?host=localhost',
]
