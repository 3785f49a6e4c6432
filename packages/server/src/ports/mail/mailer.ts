/** A name, which may be empty, and an email address. Neither holds a line feed: they become headers. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** A mail as it goes out. Neither `to` nor `subject` holds a line feed: they become headers. */
export interface OutgoingMail {
  /** The id of its row: sending the same row twice gives one `Message-ID`, which mail programs show once. */
  readonly id: bigint
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** It is not known that a mail was taken. The message names no address and no text of the mail: it is logged. */
export class MailNotTaken extends Error {
  override readonly name: string = 'MailNotTaken'
}

/** The server refused this one mail, as it would refuse it again; others it may take. */
export class MailRefused extends MailNotTaken {
  override readonly name = 'MailRefused'
  /** Whether there is no such mailbox: then waiting does not help. */
  readonly isUnknownMailbox: boolean

  constructor(message: string, isUnknownMailbox: boolean) {
    super(message)
    this.isUnknownMailbox = isUnknownMailbox
  }
}

/** Hands mails to the world. */
export interface Mailer {
  /** Whether sent mail can be read in the outbox afterwards; otherwise its text, and the keys in its links, are erased. */
  readonly isOutboxKept: boolean
  /** @throws MailNotTaken, and the caller tries again later; MailRefused when that may be of no use */
  send(mail: OutgoingMail): Promise<void>
  /**
   * Logs in to the server without handing in anything; missing where there is none.
   *
   * @throws MailNotTaken
   */
  check?(): Promise<void>
  /** Ends open connections. */
  close(): void
}
