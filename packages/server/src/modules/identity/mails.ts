import type { Tx } from '../../db/pool.ts'
import type { NewMail } from '../messages/service.ts'
import { NOT_YOU, securitySettings, sendAccountMail } from './account-mail.ts'
import type { IdentityContext } from './context.ts'
import type { Recipient } from './recipient.ts'

// The mails about an account. Each is written in the transaction of the fact it reports.

const WHAT_IS_LOST =
  'Free tickets you had not used are lost, and so is an amount too small to be sent: bitcoin carries none below a few hundred satoshis.'

/** The name of the site, now. */
function nameOf({ messages }: IdentityContext): string {
  return messages.site().name
}

function notice({ publicUrl }: IdentityContext) {
  return { advice: [NOT_YOU], action: securitySettings(publicUrl) }
}

/** The link that verifies an address. */
export async function mailVerificationLink(ctx: IdentityContext, tx: Tx, to: Recipient, key: string): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    subject: 'Please verify your email address',
    paragraphs: [
      `Thank you for playing at ${nameOf(ctx)}. Please confirm that this email address is yours: prizes are paid out only to players with a verified address.`,
    ],
    action: { label: 'Verify my email address', address: `${ctx.publicUrl}/verify-email/${key}` },
    closing: [
      'The link works once and for 24 hours.',
      'If you did not open an account with this address, you can ignore this mail.',
    ],
  })
}

/** The link that resets a password. */
export async function mailPasswordReset(ctx: IdentityContext, tx: Tx, to: Recipient, key: string): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    subject: 'Reset your password',
    paragraphs: [`Someone, probably you, asked to reset the password of your ${nameOf(ctx)} account.`],
    action: { label: 'Choose a new password', address: `${ctx.publicUrl}/reset-password/${key}` },
    closing: [
      'The link works once and for one hour.',
      'If you did not ask for this, you can ignore this mail: your password stays as it is.',
    ],
  })
}

/** To a social account that asked for a password reset: it has no password. */
export async function mailNoPasswordToReset(ctx: IdentityContext, tx: Tx, to: Recipient): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    subject: 'Your account has no password',
    paragraphs: [
      `Someone, probably you, asked to reset the password of your ${nameOf(ctx)} account. You opened this account with a social network, so there is no password to reset.`,
    ],
    action: { label: 'Log in with your social network', address: `${ctx.publicUrl}/login` },
  })
}

/** @param consequences sentences about what was removed with the old password */
export async function mailPasswordChanged(
  ctx: IdentityContext,
  tx: Tx,
  to: Recipient,
  consequences: readonly string[] = [],
): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    kind: 'password',
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your ${nameOf(ctx)} account was changed, and your other sessions were ended.`,
      ...consequences,
    ],
    advice: [NOT_YOU],
    action: { label: 'Reset my password', address: `${ctx.publicUrl}/forgotten-password` },
  })
}

/** To an account's previous address, and to those before it. */
export async function mailEmailChanged(
  ctx: IdentityContext,
  tx: Tx,
  oldAddress: Recipient,
  newEmail: string,
): Promise<void> {
  await sendAccountMail(ctx, tx, oldAddress, {
    kind: 'email',
    subject: 'Your email address was changed',
    paragraphs: [
      `The email address of your ${nameOf(ctx)} account was changed to ${maskedEmail(newEmail)}. Mails about your account go there from now on.`,
    ],
    advice: ['If this was not you, please contact us at once.'],
    action: { label: 'Contact us', address: `${ctx.publicUrl}/help-and-contact-us` },
  })
}

export async function mailTwofaEnabled(ctx: IdentityContext, tx: Tx, to: Recipient): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    ...notice(ctx),
    kind: 'twofa',
    subject: 'Two-factor authentication is on',
    paragraphs: [`Logging in to your ${nameOf(ctx)} account now needs a code of your authenticator app.`],
  })
}

export async function mailTwofaDisabled(ctx: IdentityContext, tx: Tx, to: Recipient): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    ...notice(ctx),
    kind: 'twofa',
    subject: 'Two-factor authentication is off',
    paragraphs: [`Two-factor authentication of your ${nameOf(ctx)} account was switched off.`],
  })
}

export async function mailRecoveryCodeUsed(ctx: IdentityContext, tx: Tx, to: Recipient): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    ...notice(ctx),
    kind: 'recovery-code',
    subject: 'A recovery code was used',
    paragraphs: [`Somebody used one of the recovery codes of your ${nameOf(ctx)} account. It cannot be used again.`],
  })
}

export async function mailSecurityQuestionChanged(
  ctx: IdentityContext,
  tx: Tx,
  to: Recipient,
  isActive: boolean,
): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    ...notice(ctx),
    kind: 'security-question',
    subject: isActive ? 'Your security question was changed' : 'Your security question is off',
    paragraphs: [
      isActive
        ? `The security question of your ${nameOf(ctx)} account was set or changed.`
        : `The security question of your ${nameOf(ctx)} account was switched off.`,
    ],
  })
}

/** @param stopKey the key that undoes the change while it waits; null if the address is used immediately */
export async function mailAddressChanged(
  ctx: IdentityContext,
  tx: Tx,
  to: Recipient,
  change: { address: string; stopKey: string | null; tellsOf?: NewMail['tellsOf'] },
): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    ...(change.tellsOf === undefined ? {} : { tellsOf: change.tellsOf }),
    subject: 'Your bitcoin address was changed',
    ...(change.stopKey === null
      ? {
          paragraphs: [
            `Your winnings will be paid to ${change.address}.`,
            'It is used from now on.',
            'If this was not you, please change your password and the address now.',
          ],
          action: {
            label: 'Open my crypto account details',
            address: `${ctx.publicUrl}/settings/funds-and-payments/crypto-account-details`,
          },
        }
      : {
          paragraphs: [
            `Your winnings will be paid to ${change.address}.`,
            'For your safety it is used in 24 hours. Until then payouts go to the address you had before.',
            'If this was not you, stop the change now: your address stays as it was, and everybody who is logged in to your account is logged out.',
          ],
          action: { label: 'Stop this change', address: `${ctx.publicUrl}/stop-address-change/${change.stopKey}` },
          closing: ['The link works once, and for the 24 hours that the change waits.'],
        }),
  })
}

/** @param address the one payouts go to, as before */
export async function mailAddressChangeStopped(
  ctx: IdentityContext,
  tx: Tx,
  to: Recipient,
  address: string,
): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    subject: 'The change of your bitcoin address was stopped',
    paragraphs: [
      `Your winnings are paid to ${address}, as before.`,
      `Everybody who was logged in to your ${nameOf(ctx)} account was logged out. The person who changed the address knew your password or had your device, so please choose a new password now.`,
    ],
    action: { label: 'Choose a new password', address: `${ctx.publicUrl}/forgotten-password` },
  })
}

export async function mailNewDevice(ctx: IdentityContext, tx: Tx, to: Recipient, device: string): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    ...notice(ctx),
    kind: 'device',
    subject: 'New sign-in to your account',
    paragraphs: [`Someone signed in to your ${nameOf(ctx)} account from a new device: ${device}.`],
    action: { label: 'Review my active sessions', address: `${ctx.publicUrl}/settings/profile-and-settings/security` },
  })
}

/** To a player who closes an account that money is owed to, or may still come to. */
export async function mailAccountClosing(
  ctx: IdentityContext,
  tx: Tx,
  to: Recipient,
  address: string | null,
): Promise<void> {
  await sendAccountMail(ctx, tx, to, {
    subject: 'Your account is being closed',
    paragraphs: [
      `Your ${nameOf(ctx)} account is closed: nobody can log in to it or play with it any more.`,
      address === null
        ? 'What is owed to you is on its way to your bitcoin address.'
        : `What is owed to you, and what your numbers still win in draws to come, is paid to ${address}.`,
      'Once the last draw is over and everything is paid, we erase what we keep for that: your email address, your username and your bitcoin address. You will get a mail then.',
      WHAT_IS_LOST,
    ],
  })
}

/** The last mail of a closed account: it no longer belongs to a player. */
export async function mailAccountClosed(ctx: IdentityContext, tx: Tx, to: Recipient): Promise<void> {
  await sendAccountMail(
    ctx,
    tx,
    { ...to, playerId: null },
    {
      subject: 'Your account was closed',
      paragraphs: [
        `Your ${nameOf(ctx)} account was closed and your personal data erased. What stays are your orders, their payments and the entries of past draws, without your name: they are the record of the game and its books.`,
        WHAT_IS_LOST,
      ],
    },
  )
}

/** `an…@example.org`: enough for its owner to recognise it. */
function maskedEmail(email: string): string {
  const [name = '', host = ''] = email.split('@')
  return `${name.slice(0, 2)}…@${host}`
}
