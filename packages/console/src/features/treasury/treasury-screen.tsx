import { Banner } from '@fairball/ui/banner.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { Amount } from '../../shared/amount.tsx'
import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Details } from '../../shared/details.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { satsOfTyped } from '../../shared/money.ts'
import { Columns, Nothing, Part, Screen } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import { amountProblem } from '../../shared/signing/field-rules.ts'
import { FormAction } from '../../shared/signing/form-action.tsx'
import { isBelow, isZero } from './sides.ts'
import { Deposits } from './deposits.tsx'
import { Spends } from './spends.tsx'

type Treasury = AnswerOf<'getTreasury'>

/** The wallets beside the ledger, and what a person has to explain. */
export function TreasuryScreen() {
  const treasury = useRead('getTreasury', {}, { isRenewed: true })
  return (
    <Screen
      title="Treasury"
      lead="What the wallets hold, what the ledger says, and what nobody has explained yet."
      actions={<Actions />}
    >
      <Loaded of={treasury} rows={8}>
        {(answer) => <Content treasury={answer} />}
      </Loaded>
    </Screen>
  )
}

function Content({ treasury }: { treasury: Treasury }) {
  const { wallets, ledger, held_sats, owed_sats, difference_sats, bankroll, float } = treasury
  const isShort = float.limit_sats !== null && isBelow(float.limit_sats, float.sats)
  return (
    <>
      <Difference sats={difference_sats} />
      {isBelow(bankroll.free_sats, bankroll.wanted_sats) && (
        <Banner kind="warning">The free bankroll is below what the games want. Deposit coins, then book them.</Banner>
      )}
      {isShort && (
        <Banner kind="warning">The payouts’ wallet holds more than its limit. Move the rest to cold storage.</Banner>
      )}
      <Columns>
        <Part title="Wallets">
          {wallets.length === 0 && <Nothing>No wallet was read yet.</Nothing>}
          <Details
            items={[
              ...wallets.map(({ name, sats, read_at }) => ({
                term: name,
                value: (
                  <>
                    <Amount sats={sats} /> <Moment at={read_at} />
                  </>
                ),
              })),
              held_sats === null ? null : { term: 'Together', value: <Amount sats={held_sats} /> },
            ]}
          />
        </Part>
        <Part title="Ledger">
          <Details
            items={[
              ...ledger.map(({ account, sats }) => ({ term: account, value: <Amount sats={sats} /> })),
              { term: 'Owed to players and partners', value: <Amount sats={owed_sats} /> },
            ]}
          />
        </Part>
        <Part title="Bankroll and float">
          <Details
            items={[
              { term: 'Bankroll wanted', value: <Amount sats={bankroll.wanted_sats} /> },
              { term: 'Bankroll free', value: <Amount sats={bankroll.free_sats} /> },
              { term: 'Float for payouts', value: <Amount sats={float.sats} /> },
              {
                term: 'Its limit',
                value: float.limit_sats === null ? 'none' : <Amount sats={float.limit_sats} />,
              },
              float.variable === null ? null : { term: 'The limit is from', value: <Mono text={float.variable} /> },
            ]}
          />
        </Part>
      </Columns>
      <Deposits deposits={treasury.deposits} transfers={treasury.own_transfers} />
      <Spends spends={treasury.spends} />
    </>
  )
}

function Difference({ sats }: { sats: string | null }) {
  if (sats === null)
    return <Banner kind="warning">A wallet can’t be read now, so the two sides can’t be compared.</Banner>
  if (isZero(sats)) return <Banner kind="success">Wallets and ledger agree to the satoshi.</Banner>
  return (
    <Banner kind="danger">
      Wallets and ledger differ by <Amount sats={sats} />. If you can’t explain it, hold all payouts first.
    </Banner>
  )
}

function Actions() {
  return (
    <>
      <ActionButton kind="treasury.deposit-address" args={{}}>
        New deposit address
      </ActionButton>
      <FormAction
        kind="treasury.fee"
        title="Book a fee"
        fields={[
          { name: 'amount', label: 'Amount in BTC', problem: amountProblem },
          {
            name: 'reference',
            label: 'Reference',
            hint: 'Such as a transaction’s id or an invoice’s number, without spaces.',
            max: 100,
            problem: (value) =>
              /^[\u0021-\u007e]{1,100}$/u.test(value) ? null : 'Enter 1 to 100 characters without a space.',
          },
        ]}
        toArgs={({ amount = '', reference }) => ({ sats: satsOfTyped(amount) ?? '', reference })}
      >
        Book a fee
      </FormAction>
    </>
  )
}
