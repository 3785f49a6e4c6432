import type { FastifyInstance } from 'fastify'
import type { OwnServer } from '../ports/lightning/payee.ts'

/** What this program answers to itself, without a network. Its routes are made after what asks them. */
export class OwnAnswers {
  readonly #host: string
  #http: FastifyInstance | null = null

  constructor(publicUrl: string) {
    this.#host = new URL(publicUrl).host
  }

  /** From now on requests are answered. */
  open(http: FastifyInstance): void {
    this.#http = http
  }

  readonly get: OwnServer = async (url) => {
    if (this.#http === null) throw new Error('this program answers no request yet')
    const { statusCode: status, body } = await this.#http.inject({ method: 'GET', url, headers: { host: this.#host } })
    return { status, body }
  }
}
