import type { SignedRequest } from '../calls.ts'
import { Failure } from '../failure.ts'

/** What to say about a request's state. */
interface OutcomeText {
  readonly kind: 'success' | 'info' | 'warning' | 'danger'
  readonly text: string
}

/** The state of a request in one or two sentences, with the desk's own words. */
export function outcomeOf({ state, result }: Pick<SignedRequest, 'state' | 'result'>): OutcomeText {
  const said = saidIn(result)
  switch (state) {
    case 'draft':
      return { kind: 'info', text: 'It is not signed yet.' }
    case 'proposed':
      return { kind: 'info', text: 'Proposed. Nothing has happened yet: another person has to approve it.' }
    case 'approved':
      return { kind: 'info', text: 'Signed. It is being carried out; this page shows the result.' }
    case 'done':
      return { kind: 'success', text: said === '' ? 'Done.' : `Done. ${said}` }
    case 'refused':
      return { kind: 'danger', text: said === '' ? 'Refused. Nothing happened.' : `Refused. ${said}` }
    case 'failed':
      return { kind: 'danger', text: `It failed. ${said === '' ? 'Look into the worker’s log.' : said}` }
    case 'rejected':
      return { kind: 'warning', text: `Rejected. Nothing happened.${said === '' ? '' : ` ${said}`}` }
    case 'cancelled':
      return { kind: 'warning', text: 'Cancelled. Nothing happened.' }
    case 'expired':
      return { kind: 'warning', text: 'Its time ran out before it was signed. Nothing happened.' }
  }
}

/** The desk's words in a result, or those of its code. */
function saidIn(result: SignedRequest['result']): string {
  if (result === null) return ''
  const { code, message, text, reason } = result
  const words = [text, message, reason].find((one) => typeof one === 'string')
  if (typeof code === 'string')
    return new Failure({ status: 409, code, message: typeof words === 'string' ? words : '' }).message
  return typeof words === 'string' ? words : ''
}
