/** A name, which may be empty, and an email address. Neither contains a line feed: they become headers. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** A part of a mail beside its texts: a picture that its HTML names, or a file. */
export interface MailPart {
  readonly name: string
  readonly type: string
  readonly content: Uint8Array
  /** The name in `cid:` addresses of the HTML; null for a file. */
  readonly inline: string | null
}

/** A mail as it is sent. Neither `to` nor `subject` contains a line feed: they become headers. */
export interface OutgoingMail {
  /** The id of its row: sending the same row twice gives one `Message-ID`, which mail programs show once. */
  readonly id: bigint
  readonly to: string
  /** Its sender; default: the sender in force. */
  readonly from?: Mailbox
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly parts?: readonly MailPart[]
}

/** It is unknown whether a mail was accepted. The message contains no address and no text of the mail: it is logged. */
export class MailNotTaken extends Error {
  override readonly name: string = 'MailNotTaken'
}

/** The server refused this one mail, and would refuse it again; it may accept others. */
export class MailRefused extends MailNotTaken {
  override readonly name = 'MailRefused'
  /** Whether the mailbox does not exist: then waiting does not help. */
  readonly isUnknownMailbox: boolean

  constructor(message: string, isUnknownMailbox: boolean) {
    super(message)
    this.isUnknownMailbox = isUnknownMailbox
  }
}

/** Sends mails. */
export interface Mailer {
  /**
   * Whether sent mail can be read in the outbox afterwards; otherwise its text, and the keys in its links, are erased.
   */
  readonly isOutboxKept: boolean
  /** @throws MailNotTaken, and the caller retries later; MailRefused if that may be useless */
  send(mail: OutgoingMail): Promise<void>
  /**
   * Logs in to the server without sending anything; missing if there is no server.
   *
   * @throws MailNotTaken
   */
  check?(): Promise<void>
  /** Ends open connections. */
  close(): void
}
