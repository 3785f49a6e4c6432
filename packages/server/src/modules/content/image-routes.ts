import type { FastifyInstance } from 'fastify'
import { hasTag } from '../../http/entity-tags.ts'
import { API_POLICY } from '../../http/security-headers.ts'
import { IMAGES_PATH } from './content-images.ts'
import type { ContentImage } from './operator-content.ts'

const ONE_YEAR_SECONDS = 31_536_000

/**
 * Serves the pictures of the operator's content from memory. An address is the name of a picture's content, looked up
 * among those in force: nothing in a request becomes a path.
 */
export function imageRoutes(app: FastifyInstance, images: () => ReadonlyMap<string, ContentImage>): void {
  app.get<{ Params: { name: string } }>(`${IMAGES_PATH}:name`, async (request, reply) => {
    const { name } = request.params
    const image = images().get(name)
    if (image === undefined) return reply.callNotFound()
    const tag = `"${name}"`
    void reply
      .header('cache-control', `public, max-age=${ONE_YEAR_SECONDS}, immutable`)
      .header('etag', tag)
      .header('content-security-policy', API_POLICY)
      .header('cross-origin-resource-policy', 'same-origin')
    if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
    return reply.type(image.type).send(Buffer.from(image.bytes))
  })
}
