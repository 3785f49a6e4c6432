import { lazy, Suspense, useId, useState } from 'react'
import type { SubmitEvent } from 'react'
import { errorText } from '../../../shared/api.ts'
import type { Game } from '../../../shared/data/games.ts'
import { BallRow } from '../../../ui/ball-row.tsx'
import { Ball } from '../../../ui/ball.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FilterChips } from '../../../ui/chips.tsx'
import { TextField } from '../../../ui/field.tsx'
import { LOWER_TEXTS } from '../lower-messages.ts'
import { numbersIn, slotsOf, typedLineError, typedText } from '../typed-numbers.ts'
import { useCheckNumbers } from '../use-check-numbers.ts'
import styles from './check-numbers.module.css'

const loadPicker = async () => ({ default: (await import('./number-picker.tsx')).NumberPicker })
const NumberPicker = lazy(loadPicker)
const loadWins = async () => ({ default: (await import('./checked-wins.tsx')).CheckedWins })
const CheckedWins = lazy(loadWins)

/**
 * Checks whether a line has won in the last 180 days: the player types or picks it, and the server searches the draws.
 * On a phone it is folded at first.
 */
export function CheckNumbers({ games, firstKey }: { games: readonly Game[]; firstKey: string }) {
  const panelId = useId()
  const [isOpen, setOpen] = useState(false)
  const [gameKey, setGameKey] = useState(firstKey)
  const game = games.find(({ key }) => key === gameKey) ?? games[0]
  const options = games.map(({ key, name }) => ({ value: key, label: name, icon: <Ball world={key} size={24} /> }))
  if (game === undefined) return null
  return (
    <Card
      title={LOWER_TEXTS.checkTitle}
      lead={LOWER_TEXTS.checkLead}
      actions={
        <Button
          variant="soft"
          size="small"
          className={styles['opener']}
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setOpen(!isOpen)}
        >
          {LOWER_TEXTS.checkOpen}
        </Button>
      }
    >
      <div id={panelId} className={styles['panel']} data-open={isOpen || undefined}>
        <FilterChips label={LOWER_TEXTS.checkGame} options={options} chosen={game.key} onChange={setGameKey} />
        {/* Another game has other numbers, so its form starts empty. */}
        <CheckForm key={game.key} game={game} />
      </div>
    </Card>
  )
}

function CheckForm({ game }: { game: Game }) {
  const { n: pick, N: pool } = game.sets[0] ?? { n: 0, N: 0 }
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [isPicking, setPicking] = useState(false)
  const check = useCheckNumbers(game.key)

  const change = (typed: string) => {
    setText(typed)
    setError(undefined)
    check.reset()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const wrong = typedLineError(text, { pick, pool })
    setError(wrong ?? undefined)
    if (wrong !== null) return
    loadWins().catch(() => undefined)
    check.mutate(numbersIn(text))
  }

  return (
    <div className={styles['check']} data-game={game.key}>
      <form className={styles['form']} onSubmit={submit} noValidate>
        <TextField
          label={LOWER_TEXTS.checkField}
          hint={LOWER_TEXTS.checkHint(pick, pool)}
          error={error}
          value={text}
          onChange={change}
          inputMode="text"
          autoComplete="off"
          maxLength={60}
        />
        <div className={styles['buttons']}>
          <Button type="submit" busy={check.isPending}>
            {LOWER_TEXTS.checkSubmit}
          </Button>
          <Button
            variant="secondary"
            aria-label={LOWER_TEXTS.checkPickLabel}
            onPointerEnter={() => void loadPicker()}
            onClick={() => setPicking(true)}
          >
            {LOWER_TEXTS.checkPick}
          </Button>
        </div>
      </form>
      <div className={styles['answer']}>
        <BallRow places={slotsOf(numbersIn(text), { pick, pool })} size={36} label={LOWER_TEXTS.checkPreview} />
        <div aria-live="polite">
          {check.isError && <Banner kind="danger">{errorText(check.error)}</Banner>}
          {check.isSuccess && (
            <Suspense fallback={null}>
              <CheckedWins gameKey={game.key} checked={check.data} />
            </Suspense>
          )}
        </div>
      </div>
      {isPicking && (
        <Suspense fallback={null}>
          <NumberPicker
            world={game.key}
            pick={pick}
            pool={pool}
            start={numbersIn(text)}
            onClose={() => setPicking(false)}
            onConfirm={(numbers) => {
              setPicking(false)
              change(typedText(numbers))
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
