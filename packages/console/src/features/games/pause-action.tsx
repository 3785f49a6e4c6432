import { needed } from '../../shared/signing/field-rules.ts'
import { FormAction } from '../../shared/signing/form-action.tsx'

const NOTE_MAX = 140

/** Pauses sales, with a note for the public pages. */
export function PauseAction({ game, children }: { game: string; children: string }) {
  return (
    <FormAction
      kind="sales.pause"
      title={game === 'all' ? 'Pause all sales' : 'Pause sales of the game'}
      variant="danger"
      fields={[
        {
          name: 'note',
          label: 'Note for players',
          hint: 'Public pages show it. Paid orders are played, and open ones can still be paid.',
          max: NOTE_MAX,
          problem: needed('Write what players should know.'),
        },
      ]}
      toArgs={({ note = '' }) => ({ game, note: note.trim() })}
    >
      {children}
    </FormAction>
  )
}
