import { useLayoutEffect } from 'react'
import { ORDER_STEPS } from '../../../shared/order/order-steps.ts'
import { Steps } from '@fairball/ui/steps.tsx'

/**
 * The steps of an order. From the second on the document is marked, and the game's header is one line: the payment is
 * what matters. (`:has` would do without the mark, but then every change of the page gives every element a new style.)
 */
export function OrderSteps({ step }: { step: number }) {
  const hasBegun = step > 1
  useLayoutEffect(() => {
    if (!hasBegun) return
    const { dataset } = document.documentElement
    dataset['order'] = 'begun'
    return () => {
      delete dataset['order']
    }
  }, [hasBegun])
  return <Steps current={step} names={ORDER_STEPS} />
}
