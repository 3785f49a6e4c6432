import type { Tx } from '../../db/pool.ts'
import type { NewMail } from '../messages/service.ts'
import { sendAccountMail } from './account-mail.ts'
import type { IdentityContext } from './context.ts'
import type { Recipient } from './recipient.ts'

// Mails about where and how a player is paid, beside those about the bitcoin address.

const LINK_LASTS = 'The link works once, and for the 24 hours that the change waits.'
const STOP_IT =
  'If this was not you, stop the change now: you are paid as before, and everybody who is logged in to your account is logged out.'
const CHANGE_IT = 'If this was not you, please change your password and your payout details now.'

/** An offer has hundreds of letters: its beginning and end are enough to know it by. */
const LONGEST_VALUE = 80
const SHOWN_AT_ENDS = 30

/** @param change.stopKey the key that undoes the change while it waits; null if it is used immediately */
export async function mailDestinationChanged(
  ctx: IdentityContext,
  tx: Tx,
  to: Recipient,
  change: { value: string; stopKey: string | null; tellsOf?: NewMail['tellsOf'] },
): Promise<void> {
  const where = `Your winnings will be paid over Lightning to ${short(change.value)}.`
  await sendAccountMail(ctx, tx, to, {
    ...(change.tellsOf === undefined ? {} : { tellsOf: change.tellsOf }),
    subject: 'Your Lightning address was changed',
    ...(change.stopKey === null
      ? { paragraphs: [where, 'It is used from now on.', CHANGE_IT], action: details(ctx) }
      : {
          paragraphs: [where, 'For your safety it is used in 24 hours. Until then you are paid as before.', STOP_IT],
          action: stopping(ctx, change.stopKey),
          closing: [LINK_LASTS],
        }),
  })
}

/** A removed destination is used no more from now on. */
export async function mailDestinationRemoved(
  ctx: IdentityContext,
  tx: Tx,
  to: Recipient,
  value: string,
): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    subject: 'Your Lightning address was removed',
    paragraphs: [`Nothing is paid to ${short(value)} from now on.`, CHANGE_IT],
    action: details(ctx),
  })
}

/** @param change.stopKey the key that undoes the change while it waits; null if it counts immediately */
export async function mailPayFirstChanged(
  ctx: IdentityContext,
  tx: Tx,
  to: Recipient,
  change: { payFirst: 'LIGHTNING' | 'ONCHAIN'; stopKey: string | null },
): Promise<void> {
  const way = change.payFirst === 'LIGHTNING' ? 'over Lightning' : 'to your bitcoin address'
  await sendAccountMail(ctx, tx, to, {
    subject: 'How you are paid first was changed',
    ...(change.stopKey === null
      ? { paragraphs: [`From now on your winnings are paid ${way} first.`, CHANGE_IT], action: details(ctx) }
      : {
          paragraphs: [
            `Your winnings will be paid ${way} first.`,
            'For your safety this applies in 24 hours. Until then you are paid as before.',
            STOP_IT,
          ],
          action: stopping(ctx, change.stopKey),
          closing: [LINK_LASTS],
        }),
  })
}

/** Everything that waited was stopped. */
export async function mailPayoutChangesStopped(ctx: IdentityContext, tx: Tx, to: Recipient): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    subject: 'The change of how you are paid was stopped',
    paragraphs: [
      'Your winnings are paid as before.',
      'Everybody who was logged in to your account was logged out. The person who made the change knew your password or had your device, so please choose a new password now.',
    ],
    action: { label: 'Choose a new password', address: `${ctx.publicUrl}/forgotten-password` },
  })
}

function details({ publicUrl }: IdentityContext): { label: string; address: string } {
  return {
    label: 'Open my crypto account details',
    address: `${publicUrl}/settings/funds-and-payments/crypto-account-details`,
  }
}

function stopping({ publicUrl }: IdentityContext, key: string): { label: string; address: string } {
  return { label: 'Stop this change', address: `${publicUrl}/stop-address-change/${key}` }
}

function short(value: string): string {
  return value.length <= LONGEST_VALUE ? value : `${value.slice(0, SHOWN_AT_ENDS)}…${value.slice(-SHOWN_AT_ENDS)}`
}
