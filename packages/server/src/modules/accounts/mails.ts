import type { Tx } from '../../db/pool.ts'
import type { Messages } from '../messages/service.ts'

/** Whom an account mail goes to. */
export interface Recipient {
  readonly playerId: bigint
  readonly username: string
  readonly email: string
  /** an address that the player has left: the notice says why it still comes */
  readonly isFormer?: boolean
}

export interface AccountMailsDeps {
  readonly mail: Messages['mail']
  /** Without a slash at its end. */
  readonly publicUrl: string
  /** Names a mail of which there may be many, as each sign-in from a new device. */
  readonly newId: () => string
}

export type AccountMails = ReturnType<typeof createAccountMails>

/** The mails about an account. Each is written in the transaction of the fact it tells. */
export function createAccountMails({ mail, publicUrl, newId }: AccountMailsDeps) {
  const notYou =
    'If this was not you, please reset your password at once and look at the list of active sessions in your security settings.'

  const whyStill = [
    'You get this mail because this was the e-mail address of the account until a few days ago.',
    `If it was not you who changed it, please contact us at once: ${publicUrl}/help-and-contact-us`,
  ]

  const addressSettings = `${publicUrl}/settings/funds-and-payments/crypto-account-details`
  const whatIsLost = [
    'Free tickets you had not used are lost, and so is an amount too small to be sent: bitcoin carries none below a few hundred satoshis.',
  ]

  async function write(
    tx: Tx,
    to: Recipient,
    content: {
      subject: string
      paragraphs: string[]
      action?: { label: string; address: string }
      closing?: string[]
      key?: string
    },
  ): Promise<void> {
    const { key = newId(), paragraphs, closing = [], ...others } = content
    await mail.enqueue(tx, {
      ...others,
      closing: to.isFormer === true ? [...closing, ...whyStill] : closing,
      paragraphs: [`Hello ${to.username},`, ...paragraphs],
      to: to.email,
      playerId: to.playerId,
      category: 'account',
      key: `account:${key}`,
    })
  }

  return {
    /** The link that verifies an address. */
    verification: (tx: Tx, to: Recipient, key: string) =>
      write(tx, to, {
        subject: 'Please verify your e-mail address',
        paragraphs: [
          'Thank you for playing at Fairball. Please confirm that this e-mail address is yours: prizes are paid out only to players with a verified address.',
        ],
        action: { label: 'Verify my e-mail address', address: `${publicUrl}/verify-email/${key}` },
        closing: [
          'The link works once and for 24 hours.',
          'If you did not open an account with this address, you can ignore this mail.',
        ],
      }),

    /** The link that resets a password. */
    passwordReset: (tx: Tx, to: Recipient, key: string) =>
      write(tx, to, {
        subject: 'Reset your password',
        paragraphs: ['Somebody, most likely you, asked to reset the password of your Fairball account.'],
        action: { label: 'Choose a new password', address: `${publicUrl}/reset-password/${key}` },
        closing: [
          'The link works once and for one hour.',
          'If you did not ask for this, you can ignore this mail: your password stays as it is.',
        ],
      }),

    /** To a social account that asked for a password reset: it has no password. */
    noPasswordToReset: (tx: Tx, to: Recipient) =>
      write(tx, to, {
        subject: 'Your account has no password',
        paragraphs: [
          'Somebody, most likely you, asked to reset the password of your Fairball account. You opened this account with a social network, so there is no password to reset.',
        ],
        action: { label: 'Log in with your social network', address: `${publicUrl}/login` },
      }),

    /** @param consequences sentences about what went with the old password */
    passwordChanged: (tx: Tx, to: Recipient, consequences: readonly string[] = []) =>
      write(tx, to, {
        subject: 'Your password was changed',
        paragraphs: [
          'The password of your Fairball account was changed, and your other sessions were ended.',
          ...consequences,
          notYou,
        ],
        action: { label: 'Reset my password', address: `${publicUrl}/forgotten-password` },
      }),

    /** To the address an account had before, and to those before it. */
    emailChanged: (tx: Tx, oldAddress: Recipient, newEmail: string) =>
      write(tx, oldAddress, {
        subject: 'Your e-mail address was changed',
        paragraphs: [
          `The e-mail address of your Fairball account was changed to ${maskedEmail(newEmail)}. Mails about your account go there from now on.`,
          'If this was not you, please contact us at once.',
        ],
        action: { label: 'Contact us', address: `${publicUrl}/help-and-contact-us` },
      }),

    twofaEnabled: (tx: Tx, to: Recipient) =>
      write(tx, to, {
        subject: 'Two-factor authentication is on',
        paragraphs: ['Logging in to your Fairball account now needs a code of your authenticator app.', notYou],
        action: { label: 'Open my security settings', address: `${publicUrl}/settings/profile-and-settings/security` },
      }),

    twofaDisabled: (tx: Tx, to: Recipient) =>
      write(tx, to, {
        subject: 'Two-factor authentication is off',
        paragraphs: ['Two-factor authentication of your Fairball account was switched off.', notYou],
        action: { label: 'Open my security settings', address: `${publicUrl}/settings/profile-and-settings/security` },
      }),

    recoveryCodeUsed: (tx: Tx, to: Recipient) =>
      write(tx, to, {
        subject: 'A recovery code was used',
        paragraphs: [
          'Somebody used one of the recovery codes of your Fairball account. It cannot be used again.',
          notYou,
        ],
        action: { label: 'Open my security settings', address: `${publicUrl}/settings/profile-and-settings/security` },
      }),

    securityQuestionChanged: (tx: Tx, to: Recipient, isActive: boolean) =>
      write(tx, to, {
        subject: isActive ? 'Your security question was changed' : 'Your security question is off',
        paragraphs: [
          isActive
            ? 'The security question of your Fairball account was set or changed.'
            : 'The security question of your Fairball account was switched off.',
          notYou,
        ],
        action: { label: 'Open my security settings', address: `${publicUrl}/settings/profile-and-settings/security` },
      }),

    /** @param stopKey the key that takes the change back while it waits; null when the address is used at once */
    addressChanged: (tx: Tx, to: Recipient, address: string, stopKey: string | null) =>
      write(tx, to, {
        subject: 'Your bitcoin address was changed',
        ...(stopKey === null
          ? {
              paragraphs: [
                `Your winnings will be paid to ${address}.`,
                'It is used from now on.',
                'If this was not you, please change your password and the address now.',
              ],
              action: { label: 'Open my crypto account details', address: addressSettings },
            }
          : {
              paragraphs: [
                `Your winnings will be paid to ${address}.`,
                'For your safety it is used in 24 hours. Until then payouts go to the address you had before.',
                'If this was not you, stop the change now: your address stays as it was, and everybody who is logged in to your account is logged out.',
              ],
              action: { label: 'Stop this change', address: `${publicUrl}/stop-address-change/${stopKey}` },
              closing: ['The link works once, and for the 24 hours that the change waits.'],
            }),
      }),

    /** @param address the one payouts go to, as before */
    addressChangeStopped: (tx: Tx, to: Recipient, address: string) =>
      write(tx, to, {
        subject: 'The change of your bitcoin address was stopped',
        paragraphs: [
          `Your winnings are paid to ${address}, as before.`,
          'Everybody who was logged in to your Fairball account was logged out. Whoever changed the address knew your password or had your device, so please choose a new password now.',
        ],
        action: { label: 'Choose a new password', address: `${publicUrl}/forgotten-password` },
      }),

    newDevice: (tx: Tx, to: Recipient, device: string) =>
      write(tx, to, {
        subject: 'New sign-in to your account',
        paragraphs: [`Somebody signed in to your Fairball account from a device that is new to us: ${device}.`, notYou],
        action: { label: 'Look at my active sessions', address: `${publicUrl}/settings/profile-and-settings/security` },
      }),

    /** To somebody who closes an account that money is owed to, or may still come to. */
    accountClosing: (tx: Tx, to: Recipient, address: string | null) =>
      write(tx, to, {
        subject: 'Your account is being closed',
        paragraphs: [
          'Your Fairball account is closed: nobody can log in to it or play with it any more.',
          address === null
            ? 'What is owed to you is on its way to your bitcoin address.'
            : `What is owed to you, and what your numbers still win in draws to come, is paid to ${address}.`,
          'Once the last draw is over and everything is paid, we erase what we keep for that: your e-mail address, your username and your bitcoin address. You will get a mail then.',
          ...whatIsLost,
        ],
      }),

    /** The last mail of a closed account: it belongs to no player any more. */
    accountClosed: (tx: Tx, to: { email: string; username: string }) =>
      mail.enqueue(tx, {
        to: to.email,
        playerId: null,
        category: 'account',
        subject: 'Your account was closed',
        paragraphs: [
          `Hello ${to.username},`,
          'Your Fairball account was closed and your personal data erased. What stays are your orders, their payments and the entries of past draws, without your name: they are the record of the game and its books.',
          ...whatIsLost,
        ],
        key: `account:${newId()}`,
      }),
  }
}

/** `an…@example.org`: enough for its owner to know it by. */
function maskedEmail(email: string): string {
  const [name = '', host = ''] = email.split('@')
  return `${name.slice(0, 2)}…@${host}`
}
