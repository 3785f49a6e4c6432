import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { CHECKPOINT_AGE_SECONDS } from '@fairball/domain/protocol/numbers'
import type { FastifyInstance } from 'fastify'
import { takesCoding } from '../../http/accepted-coding.ts'
import { API_POLICY } from '../../http/security-headers.ts'
import type { Queries } from '../../db/pool.ts'
import { fileAt } from './files.ts'

const zip = promisify(gzip)

/** A shorter file leaves in one packet anyway, in bytes. */
const WORTH_ZIPPING = 1200
const ONE_YEAR_SECONDS = 31_536_000

/**
 * Serves the log's files under `/fairball/` to everyone, including scripts of every site (docs/fairness.md, section 3).
 */
export function fileRoutes(app: FastifyInstance, from: Queries): void {
  app.get<{ Params: { '*': string } }>('/fairball/*', async (request, reply) => {
    void reply
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('content-security-policy', API_POLICY)
    const file = await fileAt(from, request.params['*'])
    if (file === null) {
      return await reply
        .code(404)
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send('There is no such file.\n')
    }
    const age = file.isImmutable ? `${ONE_YEAR_SECONDS}, immutable` : String(CHECKPOINT_AGE_SECONDS)
    void reply.header('cache-control', `public, max-age=${age}`).header('vary', 'accept-encoding').type(file.type)
    const body = Buffer.from(file.body)
    const mayZip = body.length >= WORTH_ZIPPING && takesCoding(request.headers['accept-encoding'], 'gzip')
    const zipped = mayZip ? await zip(body) : body
    // Hashes do not become shorter.
    if (zipped.length >= body.length) return await reply.send(body)
    return await reply.header('content-encoding', 'gzip').send(zipped)
  })
}
