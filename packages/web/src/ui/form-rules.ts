/** What is wrong with each value of a form; null or absent where nothing is. */
type Problems<Values> = { readonly [Name in keyof Values]?: string | null }

/** What each value of a form is called where it is still needed. */
type Labels<Values> = { readonly [Name in keyof Values]: string }

/** The rules of a form: a schema, and the names of what is missing. */
export type FormRules<Values extends object> = ReturnType<typeof formRules<Values>>

/**
 * Makes the schema of a form out of rules that see all its values, in the shape of Standard Schema that `useSchemaForm` takes.
 *
 * @param labels what its fields are called where they are missing, in their order on the page
 * @param problemsOf the sentence to show beside each field
 */
export function formRules<Values extends object>(
  labels: Labels<Values>,
  problemsOf: (values: Values) => Problems<Values>,
) {
  const wrong = (values: Values) => {
    const problems = problemsOf(values)
    // The keys of an object are text; these are the form's own.
    return (Object.keys(labels) as (keyof Values & string)[]).flatMap((name) => {
      const message = problems[name]
      return typeof message === 'string' ? [{ name, message }] : []
    })
  }
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'fairball',
      validate(input: unknown) {
        // The form hands over its own values, whose type its caller has stated.
        const values = input as Values
        const issues = wrong(values).map(({ name, message }) => ({ message, path: [name] }))
        return issues.length === 0 ? { value: values } : { issues }
      },
    },
    /** The names of the fields that are empty or invalid, in the order of the labels. */
    missing: (values: Values): string[] => wrong(values).map(({ name }) => labels[name]),
  }
}
