import { readStatement } from '@fairball/domain/protocol/statements'
import type { Queries } from '../../db/pool.ts'
import type { LogContext } from './context.ts'
import { signedNote } from './signing.ts'

/** Signs the text of a paper. @throws StatementError for any other text: the log aside, nothing else is signed */
export type PaperSigner = (text: string) => string

/** Signs promises and receipts with the key in force (docs/fairness.md, section 10). */
export async function paperSigner({ origin, keys }: LogContext, from: Queries): Promise<PaperSigner> {
  const key = await keys.inForce(from)
  return (text) => {
    const { type } = readStatement(text)
    if (type !== 'promise' && type !== 'receipt') throw new Error(`a ${type} is no paper`)
    return signedNote(text, origin, [key])
  }
}
