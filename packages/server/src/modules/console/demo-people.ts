import type { Role } from '@fairball/contract/console/roles'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { type Relying, relyingAt } from './context.ts'
import { demoInvite } from './people.ts'

/** The people of the demo, who are ready to register passkeys. Nobody else has an address of mail there. */
const PEOPLE: readonly { readonly name: string; readonly email: string; readonly roles: readonly Role[] }[] = [
  {
    name: 'demo-owner',
    email: 'demo-owner@console.example',
    roles: ['owner', 'treasurer', 'support', 'games', 'editor'],
  },
  { name: 'demo-approver', email: 'demo-approver@console.example', roles: ['owner', 'approver'] },
]

/** A one-time link for a person of the demo. */
interface DemoInvite {
  readonly name: string
  readonly roles: readonly string[]
  readonly url: string
}

/** What the demo's links are made with. */
export interface DemoPeopleContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'random'>
  /** the console's origin */
  readonly consoleUrl: string
}

/** Fresh links for the people of the demo, in place of those before. The people are made at the first time. */
export async function demoInvites({ db, runtime, consoleUrl }: DemoPeopleContext): Promise<DemoInvite[]> {
  const relying: Relying = relyingAt(consoleUrl)
  return await db.transaction(async (tx) => {
    const invites: DemoInvite[] = []
    for (const person of PEOPLE)
      invites.push({
        name: person.name,
        roles: person.roles,
        url: await demoInvite({ runtime, relying }, tx, person),
      })
    return invites
  })
}
