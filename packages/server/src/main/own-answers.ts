import type { OwnServer } from '../ports/lightning/payee.ts'

/**
 * What this program answers to itself, without a connection: for Lightning addresses of its own host. Who answers is
 * made after what asks.
 */
export class OwnAnswers {
  #answer: ((pathAndQuery: string) => Promise<{ readonly status: number; readonly body: object }>) | null = null

  /** From now on requests are answered. */
  open(answer: (pathAndQuery: string) => Promise<{ readonly status: number; readonly body: object }>): void {
    this.#answer = answer
  }

  readonly get: OwnServer = async (pathAndQuery) => {
    if (this.#answer === null) return { status: 404, body: '' }
    const { status, body } = await this.#answer(pathAndQuery)
    return { status, body: JSON.stringify(body) }
  }
}
