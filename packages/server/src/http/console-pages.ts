import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { isConsoleCall } from './console-edge.ts'
import { sendNotFound } from './errors.ts'

/** The build of the console's pages. */
export const CONSOLE_BUILD = join(import.meta.dirname, '../../../console/dist/client')
const PLAIN = 'text/plain; charset=utf-8'

/**
 * The console's pages: the files of their build, and its one document at every other address. Nothing of them is kept by
 * a browser.
 *
 * @param folder that of the build
 */
export async function consolePages(app: FastifyInstance, folder: string): Promise<void> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => null)
  if (page !== null)
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      globIgnore: ['**/.vite/**', '**/*.br', '**/*.gz', 'index.html'],
      preCompressed: true,
      cacheControl: false, // the header of every answer says it
      etag: false,
      lastModified: false,
    })
  app.get('/assets/*', async (_request, reply) => reply.code(404).type(PLAIN).send('There is no such file.\n'))
  app.get('/*', async (request, reply) => {
    if (isConsoleCall(request.url)) return sendNotFound(reply)
    if (page === null) return reply.code(503).type(PLAIN).send('The console has no pages yet: run npm run build.\n')
    return reply.type('text/html; charset=utf-8').send(page)
  })
}
