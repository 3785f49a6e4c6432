import { ActionButton } from '../../shared/signing/action-button.tsx'
import { dayProblem, endOfDay, needed } from '../../shared/signing/field-rules.ts'
import { FormAction } from '../../shared/signing/form-action.tsx'
import type { Player } from './player-screen.tsx'

const UNTIL = { name: 'until', label: 'Until the end of', type: 'date', hint: 'A day in UTC.' } as const

/** What staff may do about a player; the roles decide which of it. */
export function PlayerActions({ player }: { player: Player }) {
  const { id, holds } = player
  const isBlocked = holds.some(({ kind }) => kind === 'buy' || kind === 'sign-in')
  const isHeld = holds.some(({ kind }) => kind === 'payouts')
  return (
    <>
      {isBlocked ? (
        <ActionButton kind="players.unblock" args={{ player: id }}>
          Unblock
        </ActionButton>
      ) : (
        <BlockAction id={id} />
      )}
      {isHeld ? (
        <ActionButton kind="players.release-payouts" args={{ player: id }}>
          Release payouts
        </ActionButton>
      ) : (
        <HoldAction id={id} />
      )}
      <ExcludeAction id={id} />
      <FormAction
        kind="players.note"
        title="Add a note"
        fields={[{ name: 'text', label: 'Note', type: 'area', max: 500, problem: needed('Write the note.') }]}
        toArgs={({ text = '' }) => ({ player: id, text: text.trim() })}
        variant="soft"
      >
        Add a note
      </FormAction>
      {!player.is_email_verified && (
        <ActionButton kind="players.resend-verification" args={{ player: id }} variant="soft">
          Send the verification again
        </ActionButton>
      )}
      <ActionButton kind="players.end-sessions" args={{ player: id }} variant="soft">
        Log out everywhere
      </ActionButton>
      <ActionButton kind="players.export" args={{ player: id }} variant="soft">
        Export
      </ActionButton>
      <ActionButton kind="players.erase" args={{ player: id }} variant="danger">
        Erase
      </ActionButton>
    </>
  )
}

function BlockAction({ id }: { id: string }) {
  return (
    <FormAction
      kind="players.block"
      title="Block the player"
      variant="danger"
      fields={[
        {
          name: 'what',
          label: 'From',
          choices: [
            { value: 'buy', label: 'Buying' },
            { value: 'sign-in', label: 'Logging in and buying' },
          ],
          hint: 'Paid plays stay in their draws, and wins are paid.',
        },
        { ...UNTIL, hint: 'A day in UTC. Leave it empty for a block without an end.' },
      ]}
      toArgs={({ what, until = '' }) => ({ player: id, what, until: endOfDay(until) })}
    >
      Block
    </FormAction>
  )
}

function HoldAction({ id }: { id: string }) {
  return (
    <FormAction
      kind="players.hold-payouts"
      title="Hold the player’s payouts"
      fields={[
        { ...UNTIL, hint: 'A day in UTC, at most 30 days ahead.', problem: dayProblem },
        {
          name: 'tell',
          label: 'Tell the player',
          choices: [
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No, the law forbids it' },
          ],
        },
      ]}
      toArgs={({ until = '', tell }) => ({ player: id, until: endOfDay(until), tell: tell === 'yes' })}
    >
      Hold payouts
    </FormAction>
  )
}

function ExcludeAction({ id }: { id: string }) {
  return (
    <FormAction
      kind="players.exclude"
      title="Exclude the player"
      fields={[{ ...UNTIL, hint: 'A day in UTC. It can be made later, and never earlier.', problem: dayProblem }]}
      toArgs={({ until = '' }) => ({ player: id, until: endOfDay(until) })}
    >
      Exclude
    </FormAction>
  )
}
