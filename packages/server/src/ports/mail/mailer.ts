/** A mail as it goes out. Neither `to` nor `subject` holds a line feed: they become headers. */
export interface OutgoingMail {
  /** The id of its row: sending the same row twice gives one `Message-ID`, which mail programs show once. */
  readonly id: bigint
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Hands mails to the world. */
export interface Mailer {
  /** Whether sent mail can be read in the outbox afterwards; otherwise its text, and the keys in its links, are erased. */
  readonly isOutboxKept: boolean
  /** @throws Error when it is not known that the mail was taken; the caller tries again later */
  send(mail: OutgoingMail): Promise<void>
  /** Ends open connections. */
  close(): void
}
