import { useWatch } from 'react-hook-form'
import { errorText } from '../../../shared/api.ts'
import type { ResponsiblePlay } from '../../../shared/data/responsible-play.ts'
import { EditableCard } from '../../../shared/forms/editable-card.tsx'
import { SaveForm } from '../../../shared/forms/save-form.tsx'
import { usePlayerView } from '../../../shared/player-view.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { ReadOnlyField } from '@fairball/ui/field.tsx'
import { TextInput, ToggleInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { PLAY_LIMIT_TEXTS } from '../messages.ts'
import { useSaveLimits } from '../use-save-limits.ts'
import { limitOf, limitText, limitValues, WEEKLY_LIMIT_RULES } from '../weekly-limit.ts'
import type { WeeklyLimitValues } from '../weekly-limit.ts'

/** The weekly spending limit: the present one, the pending one, and the form that changes it. */
export function WeeklyLimitCard({ saved }: { saved: ResponsiblePlay }) {
  const { currencyCode } = useSession()
  const { dateTime } = usePlayerView()
  const { weekly_limit: limit, weekly_limit_next: next, weekly_limit_next_at: nextAt } = saved
  return (
    <EditableCard
      title={PLAY_LIMIT_TEXTS.limitTitle}
      lead={PLAY_LIMIT_TEXTS.limitLead}
      editLabel={PLAY_LIMIT_TEXTS.limitEdit}
      renderForm={(moves) => <LimitForm limit={limit} onCancel={moves.cancel} onSaved={moves.saved} />}
      note={nextAt !== null && <WaitingNote limit={limit} when={dateTime(nextAt)} />}
    >
      <div>
        <ReadOnlyField label={PLAY_LIMIT_TEXTS.limitNow}>{limitText(limit, currencyCode)}</ReadOnlyField>
        {nextAt !== null && (
          <ReadOnlyField label={PLAY_LIMIT_TEXTS.limitFrom(dateTime(nextAt))}>
            {limitText(next, currencyCode)}
          </ReadOnlyField>
        )}
      </div>
    </EditableCard>
  )
}

/** Says that a looser limit is pending. Setting the present one again cancels it. */
function WaitingNote({ limit, when }: { limit: number | null; when: string }) {
  const keeping = useSaveLimits<number | null>((kept) => ({ weekly_limit: kept }))
  return (
    <>
      {keeping.isError && <Banner kind="danger">{errorText(keeping.error)}</Banner>}
      <Banner
        kind="warning"
        action={
          <Button variant="secondary" size="small" busy={keeping.isPending} onClick={() => keeping.mutate(limit)}>
            {PLAY_LIMIT_TEXTS.limitKeep}
          </Button>
        }
      >
        {PLAY_LIMIT_TEXTS.limitWaiting(when)}
      </Banner>
    </>
  )
}

const FIELD_OF = { weekly_limit: 'amount' } as const

function LimitForm(props: { limit: number | null; onCancel: () => void; onSaved: () => void }) {
  const { limit, onCancel, onSaved } = props
  const { currencyCode } = useSession()
  const saving = useSaveLimits<WeeklyLimitValues>((values) => ({ weekly_limit: limitOf(values) }))
  const { control, handleSubmit, setError } = useSchemaForm<WeeklyLimitValues>(WEEKLY_LIMIT_RULES, limitValues(limit))
  const isLimited = useWatch({ control, name: 'isLimited' })
  return (
    <SaveForm
      control={control}
      rules={WEEKLY_LIMIT_RULES}
      handleSubmit={handleSubmit}
      setError={setError}
      saving={saving}
      fieldOf={FIELD_OF}
      onCancel={onCancel}
      onSaved={onSaved}
    >
      <ToggleInput
        control={control}
        name="isLimited"
        label={PLAY_LIMIT_TEXTS.limitToggle}
        hint={PLAY_LIMIT_TEXTS.limitHint}
      />
      {isLimited && (
        <TextInput
          control={control}
          name="amount"
          label={PLAY_LIMIT_TEXTS.limitAmount(currencyCode)}
          inputMode="decimal"
          autoComplete="off"
        />
      )}
    </SaveForm>
  )
}
