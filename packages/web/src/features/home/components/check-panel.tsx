import { lazy, Suspense, useState } from 'react'
import type { SubmitEvent } from 'react'
import { errorText } from '../../../shared/api.ts'
import type { Game } from '../../../shared/data/games.ts'
import { BallRow } from '@fairball/ui/ball-row.tsx'
import { Ball } from '@fairball/ui/ball.tsx'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { FilterChips } from '@fairball/ui/chips.tsx'
import { TextField } from '@fairball/ui/field.tsx'
import { LOWER_TEXTS } from '../lower-messages.ts'
import { numbersIn, slotsOf, typedLineError, typedText } from '../typed-numbers.ts'
import { useCheckNumbers } from '../use-check-numbers.ts'
import { CheckedWins } from './checked-wins.tsx'
import styles from './check-panel.module.css'

const loadPicker = async () => ({ default: (await import('./number-picker.tsx')).NumberPicker })
const NumberPicker = lazy(loadPicker)

/** The choice of a game, and the line to check in it. */
export default function CheckPanel({ games, firstKey }: { games: readonly Game[]; firstKey: string }) {
  const [gameKey, setGameKey] = useState(firstKey)
  const game = games.find(({ key }) => key === gameKey) ?? games[0]
  const options = games.map(({ key, name }) => ({ value: key, label: name, icon: <Ball world={key} size={24} /> }))
  if (game === undefined) return null
  return (
    <>
      <FilterChips label={LOWER_TEXTS.checkGame} options={options} chosen={game.key} onChange={setGameKey} />
      {/* Another game has other numbers, so its form starts empty. */}
      <CheckForm key={game.key} game={game} />
    </>
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
    if (wrong === null) check.mutate(numbersIn(text))
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
          {check.isSuccess && <CheckedWins gameKey={game.key} checked={check.data} />}
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
