import { userInfo } from 'node:os'
import { CommandError, type OperatorCommand } from '../../operator-command.ts'
import { stopAll } from '../payouts/service.ts'
import { createMonitoringDesk, MonitoringRefusal, type StandingViolation } from './desk.ts'
import { lotteryInvariants } from './invariants.ts'
import { createInvariantWatch } from './watch.ts'

type House = Parameters<OperatorCommand['run']>[0]

/** What an operator does by hand about broken invariants. */
export const monitoringCommands = {
  'invariants-list': {
    args: [],
    summary: 'shows what breaks an invariant, and when they were checked last',
    async run(house) {
      const { checkedAt, standing } = await deskOf(house).list()
      const when = checkedAt === null ? 'Nothing was checked yet.' : `Checked last at ${timeOf(checkedAt)}.`
      return [when, ...(standing.length === 0 ? ['Every invariant holds.'] : standing.map(lineOf))].join('\n')
    },
  },
  'invariants-check': {
    args: [],
    summary:
      'checks every invariant on everything, every sealed draw computed again; stops payouts where one is broken',
    async run({ db, runtime }) {
      const watch = createInvariantWatch({ db, runtime, invariants: lotteryInvariants, stopPayouts: stopAll })
      const { violations } = await watch.checkAll()
      if (violations.length === 0) return 'Every invariant holds.'
      return violations.map(({ id, problem }) => `${id}  ${problem}`).join('\n')
    },
  },
  'invariants-accept': {
    args: ['number'],
    summary: 'takes something that breaks an invariant for known: it holds up payouts no more',
    async run(house, [number = '']) {
      if (!/^[1-9]\d{0,17}$/.test(number)) throw new CommandError(`'${number}' is no number of the list.`)
      try {
        return await deskOf(house).accept(BigInt(number))
      } catch (error) {
        if (error instanceof MonitoringRefusal) throw new CommandError(error.message, error)
        throw error
      }
    },
  },
} as const satisfies Record<string, OperatorCommand>

function deskOf({ db, runtime }: House) {
  return createMonitoringDesk({ db, runtime, actor: userInfo().username })
}

function lineOf({ number, invariant, problem, found_at: foundAt, is_accepted: isAccepted }: StandingViolation): string {
  return `${number}  ${invariant}  since ${timeOf(foundAt)}${isAccepted ? '  accepted' : ''}  ${problem}`
}

function timeOf(at: number): string {
  return new Date(at * 1000).toISOString().replace('.000Z', 'Z')
}
