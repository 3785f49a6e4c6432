import type { Seal } from '../../runtime/seal.ts'
import type { RenderedMail } from './mail-template.ts'

/** What a mail is made of when it leaves. */
export type WaitingMail = Omit<RenderedMail, 'subject'>

/** Binds a mail to its recipient: after a change of the recipient it cannot be decrypted. */
export const sealedFor = (key: string, to: string): string => `mail:${key}:${to}`

/**
 * The content of a mail: encrypted, or in the clear if an older program wrote it, which knew no pictures. @throws Error
 * if it was not encrypted here
 */
export function opened(
  seal: Seal,
  mail: {
    readonly sealed: Uint8Array | null
    readonly key: string
    readonly toAddress: string
    readonly text: string
    readonly html: string
    readonly links: readonly string[]
  },
): WaitingMail {
  const noParts = { pictures: [], files: [] }
  if (mail.sealed === null) return { ...noParts, text: mail.text, html: mail.html, links: [...mail.links] }
  const text = Buffer.from(seal.open(mail.sealed, sealedFor(mail.key, mail.toAddress))).toString()
  return { ...noParts, ...(JSON.parse(text) as WaitingMail) } // as it was encrypted
}
