import { Refused } from '../../kernel/errors.ts'
import { tellOfAlarm } from '../integrations/service.ts'
import { checkAllInvariants, lotteryInvariants, withSealedAddresses } from '../monitoring/service.ts'
import { AddressSeals, stopAll } from '../payouts/service.ts'
import { type OperatorCommand, operatorOf } from './command.ts'
import { acceptViolation, listViolations, type StandingViolation } from './invariant-actions.ts'

/** The operator's manual commands for broken invariants. */
export const monitoringCommands = {
  'invariants-list': {
    args: [],
    summary: 'shows what breaks an invariant, and when they were checked last',
    async run(installation) {
      const { checkedAt, standing } = await listViolations(operatorOf(installation))
      const when = checkedAt === null ? 'Nothing was checked yet.' : `Checked last at ${timeOf(checkedAt)}.`
      return [when, ...(standing.length === 0 ? ['Every invariant holds.'] : standing.map(lineOf))].join('\n')
    },
  },
  'invariants-check': {
    args: [],
    summary:
      'checks every invariant on everything, every sealed draw computed again; stops payouts where one is broken',
    async run(installation) {
      const { db, runtime, seal } = installation
      const invariants = withSealedAddresses(lotteryInvariants, new AddressSeals(seal))
      const tell = operatorOf(installation)
      const watch: Parameters<typeof checkAllInvariants>[0] = {
        db,
        runtime,
        invariants,
        stopPayouts: stopAll,
        tellOfAlarm: (tx, alarm) => tellOfAlarm(tell, tx, alarm),
      }
      const { violations } = await checkAllInvariants(watch)
      if (violations.length === 0) return 'Every invariant holds.'
      return violations.map(({ id, problem }) => `${id}  ${problem}`).join('\n')
    },
  },
  'invariants-accept': {
    signatures: 2,
    args: ['number'],
    summary: 'takes something that breaks an invariant for known: it holds up payouts no more',
    async run(installation, [number = '']) {
      if (!/^[1-9]\d{0,17}$/.test(number)) throw new Refused(`'${number}' is no number of the list.`)
      return await acceptViolation(operatorOf(installation), BigInt(number))
    },
  },
} as const satisfies Record<string, OperatorCommand>

function lineOf({ number, invariant, problem, foundAt, isAccepted }: StandingViolation): string {
  return `${number}  ${invariant}  since ${timeOf(foundAt)}${isAccepted ? '  accepted' : ''}  ${problem}`
}

function timeOf(at: number): string {
  return new Date(at * 1000).toISOString().replace('.000Z', 'Z')
}
