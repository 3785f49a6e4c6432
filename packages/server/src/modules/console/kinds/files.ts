import { noteAction } from '../../operator/service.ts'
import { requireReader } from '../files.ts'
import { refusal } from '../refusal.ts'
import { type RequestKind, withoutFacts } from './kind.ts'

export const fetchOfFile: RequestKind<'files.fetch'> = {
  facts: withoutFacts,
  async carryOut({ ctx, tx, operator, proposer }, { file }) {
    if (proposer === null) throw refusal('ACCESS_DENIED')
    const { name } = await requireReader({ db: operator.db, runtime: ctx.runtime }, proposer, file)
    const text = `${name} was fetched.`
    await noteAction(operator, tx, { action: 'file-fetch', subject: file, detail: text })
    return { text }
  },
}
