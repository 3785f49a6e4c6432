import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { TextAreaField } from '@fairball/ui/field.tsx'
import { useApi } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Failed } from '../../shared/failed.tsx'
import { Part } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import { ValueForm } from '../../shared/value-form/value-form.tsx'
import { fileWith, GAME_SHAPE, gameIn } from './game-shape.ts'
import styles from './games.module.css'

type Preview = AnswerOf<'previewGames'>

/** A game as a form, and the games file behind it: the plan is shown first, and signed then. */
export function GameFile({ game, file }: { game: string; file: string }) {
  const api = useApi()
  const [text, setText] = useState(file)
  const preview = useMutation({ mutationFn: () => api.call('previewGames', { body: { file: text } }) })
  const shown = gameIn(text, game)
  const change = (next: string) => {
    setText(next)
    preview.reset()
  }
  return (
    <Part title="Change the game">
      {shown === null ? (
        <Banner kind="info">The file below is not JSON, or has no game {game}: there is no form for it.</Banner>
      ) : (
        <ValueForm
          shape={GAME_SHAPE}
          label={game}
          value={shown}
          onChange={(changed) => change(fileWith(text, game, changed))}
        />
      )}
      <Disclosure title="The whole file">
        <TextAreaField
          label="The games file"
          hint="JSON, as operator games-export writes it. Nothing happens before the plan is signed."
          rows={16}
          value={text}
          onChange={change}
        />
      </Disclosure>
      <div className={styles['buttons']}>
        <Button size="small" disabled={text === file} busy={preview.isPending} onClick={() => preview.mutate()}>
          Show the plan
        </Button>
        <Button size="small" variant="soft" disabled={text === file} onClick={() => change(file)}>
          Take it back
        </Button>
        {text === file && <span className={styles['note']}>Change something to see a plan.</span>}
      </div>
      <Failed error={preview.error} />
      {preview.data !== undefined && <Plan preview={preview.data} file={text} />}
    </Part>
  )
}

function Plan({ preview: { plan, problems }, file }: { preview: Preview; file: string }) {
  if (problems.length > 0)
    return (
      <Banner kind="danger">
        <ul>
          {problems.map(({ path, text }) => (
            <li key={`${path} ${text}`}>
              {path}: {text}
            </li>
          ))}
        </ul>
      </Banner>
    )
  if (plan.length === 0) return <Banner kind="info">This file changes nothing.</Banner>
  return (
    <>
      <ul className={styles['plan']}>
        {plan.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div>
        <ActionButton kind="games.apply" args={{ file }} variant="primary">
          Propose this plan
        </ActionButton>
      </div>
    </>
  )
}
