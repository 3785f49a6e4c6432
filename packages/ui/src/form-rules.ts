/** The error of each value of a form; null or absent if it is valid. */
type Problems<Values> = { readonly [Name in keyof Values]?: string | null }

/** The name of each value of a form in the list of missing ones. */
type Labels<Values> = { readonly [Name in keyof Values]: string }

/** The rules of a form: a schema, and the names of the missing values. */
export type FormRules<Values extends object> = ReturnType<typeof formRules<Values>>

/**
 * Makes the schema of a form from rules that see all its values, as a Standard Schema for `useSchemaForm`.
 *
 * @param labels the names of its fields in the list of missing ones, in their order on the page
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
        // The form passes its own values, whose type its caller has declared.
        const values = input as Values
        const issues = wrong(values).map(({ name, message }) => ({ message, path: [name] }))
        return issues.length === 0 ? { value: values } : { issues }
      },
    },
    /** The names of the fields that are empty or invalid, in the order of the labels. */
    missing: (values: Values): string[] => wrong(values).map(({ name }) => labels[name]),
  }
}
