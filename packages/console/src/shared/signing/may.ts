import { kindOf } from '@fairball/contract/console/kinds'
import { useMe } from '../session.ts'
import { ROLE_TEXTS } from '../roles.ts'

/** Whether the signed-in person may ask for something, and if not, why. */
interface May {
  readonly isAllowed: boolean
  /** Whether the console can do it at all. */
  readonly isKnown: boolean
  /** why it is not allowed; empty if it is */
  readonly why: string
}

/**
 * @param kind of a request
 * @param args which may decide who asks for it
 */
export function useMay(kind: string, args: Readonly<Record<string, unknown>> = {}): May {
  const { roles } = useMe()
  const rules = kindOf(kind)
  if (rules === null) return { isAllowed: false, isKnown: false, why: 'This console can’t do this yet.' }
  const proposers = rules.proposersFor?.(args) ?? rules.proposers
  if (proposers.some((role) => roles.includes(role))) return { isAllowed: true, isKnown: true, why: '' }
  const names = proposers.map((role) => ROLE_TEXTS[role].name)
  return { isAllowed: false, isKnown: true, why: `Needs the role ${names.join(' or ')}.` }
}
