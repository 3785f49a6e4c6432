import { UNAUTHORIZED } from '@fairball/contract/http-status'
import { ERROR_TEXTS } from '@fairball/domain/errors'

/** Too much work of a kind that takes turns (a password hash) is already waiting: the caller retries later. */
export class Overloaded extends Error {
  constructor(what: string) {
    super(`too many callers are waiting for ${what}`)
    this.name = 'Overloaded'
  }
}

/** An external program that a request needs does not answer, or is not ready: the caller retries later. */
export class Unreachable extends Error {
  constructor(what: string, cause?: unknown) {
    super(`${what} cannot be used now`, { cause })
    this.name = 'Unreachable'
  }
}

/** The bearer token is missing, expired or revoked: the one refusal that is 401 (decisions section 2). */
export class Unauthorized extends Error {
  constructor() {
    super(ERROR_TEXTS[UNAUTHORIZED.code])
    this.name = 'Unauthorized'
  }
}

/** What the operator asked for cannot be done now, and nothing was changed. The message says why and what to do. */
export class Refused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'Refused'
  }
}

/** A transfer is dated in a month whose books are locked; nothing was posted. */
export class PeriodLocked extends Refused {
  constructor(cause: unknown) {
    super('This would be dated in a month whose books are locked.', cause)
    this.name = 'PeriodLocked'
  }
}

/** A refusal whose code and status are of another table than the players': the console's. */
export class CodedRefusal extends Error {
  readonly code: string
  readonly status: number

  constructor(code: string, status: number, message: string) {
    super(message)
    this.name = 'CodedRefusal'
    this.code = code
    this.status = status
  }
}
