import { isRecord } from '../api.ts'
import { btcText, satsOf } from '../money.ts'
import { momentText } from '../moments.ts'

/** The arguments of a request, or its facts. */
type Parts = Readonly<Record<string, unknown>>

/** What a kind does: its title in lists and on the dialog, and the sentence above the button. */
interface KindText {
  readonly title: string
  readonly sentence: (args: Parts, facts: Parts) => string
}

const word = (parts: Parts, name: string): string => {
  const value = parts[name]
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
/** The name of a thing from the facts, or what the arguments call it. */
const named = (args: Parts, facts: Parts, name: string): string =>
  word(facts, `${name}_name`) || word(facts, name) || word(args, name)
const until = (args: Parts): string =>
  typeof args['until'] === 'number' ? ` until ${momentText(args['until'], args['until'])} UTC` : ' without an end'
const sumOf = (facts: Parts): string => {
  const payouts = facts['payouts']
  if (!Array.isArray(payouts)) return ''
  const sats = payouts.flatMap((one: unknown) => (isRecord(one) ? [word(one, 'sats')] : []))
  const sum = sats.reduce((total, each) => total + satsOf(each), 0n)
  return ` It pays ${btcText(String(sum))} to ${payouts.length} ${payouts.length === 1 ? 'address' : 'addresses'}.`
}
const ofBatch = (args: Parts): string => `batch ${word(args, 'batch')}`
const lines = (title: string, sentence: KindText['sentence']): KindText => ({ title, sentence })

const KIND_TEXTS: Readonly<Record<string, KindText>> = {
  'payouts.approve': lines('Approve payouts', (args, facts) => `Approve payout ${ofBatch(args)}.${sumOf(facts)}`),
  'payouts.hold': lines('Hold payouts', (args) =>
    args['batch'] === 'all'
      ? 'Hold all payouts. Nothing is made, signed or sent until they are resumed.'
      : `Hold payout ${ofBatch(args)}. It is not signed or sent until it is retried.`,
  ),
  'payouts.retry': lines('Retry payouts', (args, facts) => {
    if (args['batch'] === 'all') return 'Resume all payouts.'
    return /^(?:ln:)?\d+$/u.test(word(args, 'batch'))
      ? `Retry payout ${ofBatch(args)}.${sumOf(facts)}`
      : `Check the address ${word(args, 'batch')} again, and pay it if nothing is wrong.`
  }),
  'payouts.cancel': lines(
    'Cancel payouts',
    (args, facts) => `Cancel payout ${ofBatch(args)}. What it holds is owed again.${sumOf(facts)}`,
  ),
  'payouts.accept': lines('Accept spends', (args) =>
    args['may_be_payout'] === true
      ? `Accept spends that may be payouts of ours: ${word(args, 'txids')}. Nobody is paid again beside them.`
      : `Accept spends that are no payouts of ours: ${word(args, 'txids')}. Debts to their addresses are paid.`,
  ),
  'treasury.deposit': lines('Book deposits', (args) => `Book as the operator’s own money: ${word(args, 'outpoints')}.`),
  'treasury.own-transfer': lines(
    'Book a transfer',
    (args) => `Book as a transfer between the operator’s own wallets: ${word(args, 'outpoint')}.`,
  ),
  'treasury.fee': lines(
    'Book a fee',
    (args) => `Book ${btcText(word(args, 'sats'))} as a fee paid, with the reference ${word(args, 'reference')}.`,
  ),
  'treasury.deposit-address': lines('New deposit address', () => 'Make a new address for the operator’s own deposits.'),
  'treasury.withdraw': lines(
    'Book a withdrawal',
    (args) => `Book the transaction ${word(args, 'txid')} as a withdrawal from ${word(args, 'from')}.`,
  ),
  'orders.goodwill': lines(
    'Pay goodwill',
    (args) =>
      `Pay ${btcText(word(args, 'sats'))} of goodwill for order ${word(args, 'order')}, from the operator’s fee. Its plays stay in their draws.`,
  ),
  'players.block': lines('Block a player', (args, facts) => {
    const what = args['what'] === 'sign-in' ? 'logging in and buying' : 'buying'
    return `Block ${named(args, facts, 'player')} from ${what}${until(args)}. Paid plays stay, and wins are paid.`
  }),
  'players.unblock': lines('Unblock a player', (args, facts) => `End the block of ${named(args, facts, 'player')}.`),
  'players.hold-payouts': lines(
    'Hold a player’s payouts',
    (args, facts) =>
      `Hold all payouts to ${named(args, facts, 'player')}${until(args)}. The player is ${args['tell'] === false ? 'not told' : 'told'}.`,
  ),
  'players.release-payouts': lines(
    'Release a player’s payouts',
    (args, facts) => `Pay ${named(args, facts, 'player')} again.`,
  ),
  'players.exclude': lines(
    'Exclude a player',
    (args, facts) => `Exclude ${named(args, facts, 'player')} from play${until(args)}. This can’t be shortened.`,
  ),
  'players.export': lines(
    'Export a player’s data',
    (args, facts) => `Write a file with everything held about ${named(args, facts, 'player')}.`,
  ),
  'players.erase': lines(
    'Erase a player',
    (args, facts) => `Close the account of ${named(args, facts, 'player')} and erase its personal data, for good.`,
  ),
  'players.note': lines('Add a note', (args, facts) => `Add a note about ${named(args, facts, 'player')}.`),
  'players.resend-verification': lines(
    'Send the verification again',
    (args, facts) => `Send ${named(args, facts, 'player')} the verification of the email address again.`,
  ),
  'players.end-sessions': lines(
    'Log a player out',
    (args, facts) => `End all sessions of ${named(args, facts, 'player')}.`,
  ),
  'orders.refresh': lines(
    'Read an order again',
    (args) => `Read order ${word(args, 'order')} from its provider again.`,
  ),
  'games.apply': lines('Change the games', () => 'Announce the changes of this games file, as in the plan below.'),
  'sales.pause': lines(
    'Pause sales',
    (args) =>
      `Pause sales of ${args['game'] === 'all' ? 'all games' : word(args, 'game')}. Pages show: “${word(args, 'note')}”`,
  ),
  'sales.resume': lines(
    'Resume sales',
    (args) => `Resume sales of ${args['game'] === 'all' ? 'all games' : word(args, 'game')}.`,
  ),
  'settings.apply': lines(
    'Change a setting',
    (args) =>
      `Set ${word(args, 'key')}${typeof args['from'] === 'number' ? ` from ${momentText(args['from'], args['from'])} UTC on` : ' now'}.`,
  ),
  'staff.invite': lines(
    'Invite a person',
    (args) => `Invite ${word(args, 'name')} (${word(args, 'email')}) as ${word(args, 'roles')}.`,
  ),
  'staff.roles': lines(
    'Change roles',
    (args, facts) => `Give ${named(args, facts, 'staff') || 'this person'} the roles ${word(args, 'roles')}.`,
  ),
  'staff.reset': lines(
    'Reset passkeys',
    (args, facts) => `Revoke every passkey of ${named(args, facts, 'staff')}, and send a new link.`,
  ),
  'staff.disable': lines(
    'Disable a person',
    (args, facts) => `Disable ${named(args, facts, 'staff')} and end all their sessions, at once.`,
  ),
  'staff.enrol': lines('Register a passkey', () => 'Register a passkey over an invite.'),
  'webhooks.create': lines('Add a webhook', (args) => `Send ${word(args, 'types')} to ${word(args, 'url')}.`),
  'webhooks.rotate': lines(
    'New secret for a webhook',
    (args) => `Make a new secret for webhook ${word(args, 'id')}. The old one signs for another 24 hours.`,
  ),
  'webhooks.revoke': lines('Remove a webhook', (args) => `Send nothing more to webhook ${word(args, 'id')}.`),
  'webhooks.redeliver': lines('Deliver again', (args) => `Deliver ${word(args, 'id')} again.`),
  'files.fetch': lines('Fetch a file', (args) => `Fetch the file ${word(args, 'file')}, which is given out once.`),
  'api-keys.create': lines(
    'Make an API key',
    (args) => `Make the API key “${word(args, 'name')}”, which may read ${word(args, 'scopes')}.`,
  ),
  'api-keys.revoke': lines('Revoke an API key', (args) => `Revoke API key ${word(args, 'id')}.`),
  'periods.lock': lines('Lock a month', (args) => `Lock ${word(args, 'month')}. Nothing is booked in it any more.`),
  'log.change-key': lines('Change the log’s key', () => 'Change the key that signs the public log.'),
  'invariants.accept': lines(
    'Accept a violation',
    (args) => `Accept violation ${word(args, 'number')}, which stays as it is.`,
  ),
  'invariants.check': lines('Check the invariants', () => 'Check all invariants now.'),
  'alarms.acknowledge': lines('Acknowledge an alarm', () => 'Say that you have seen this alarm.'),
  'mail.test': lines('Test mail', (args) =>
    args['code'] === undefined
      ? 'Send a test mail with a code to yourself.'
      : `Take the code ${word(args, 'code')} from a mail that arrived.`,
  ),
  'requests.reject': lines('Reject a request', () => 'Reject this request.'),
  'requests.cancel': lines('Cancel a request', () => 'Cancel this request.'),
}

/** A kind in words; its own name where there are none yet. */
export function kindTitle(kind: string): string {
  return KIND_TEXTS[kind]?.title ?? kind
}

/** What a request does, in one or two sentences. */
export function sentenceOf(kind: string, args: Parts, facts: Parts): string {
  return KIND_TEXTS[kind]?.sentence(args, facts) ?? `${kind}.`
}
