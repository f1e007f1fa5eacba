/** A part of an OpenAPI document. */
export type OpenApiPart = Readonly<Record<string, unknown>>

/** An operation of an API. */
export function operation(tag: string, operationId: string, summary: string, rest: OpenApiPart): OpenApiPart {
  return { tags: [tag], operationId, summary, ...rest }
}

/** A request body that must be JSON of this schema of the components. */
export function jsonBody(schema: string): OpenApiPart {
  return { required: true, content: { 'application/json': { schema: reference(schema) } } }
}

/** An answer that is JSON of this schema of the components. */
export function jsonResponse(description: string, schema: string): OpenApiPart {
  return { description, content: { 'application/json': { schema: reference(schema) } } }
}

function reference(schema: string): OpenApiPart {
  return { $ref: `#/components/schemas/${schema}` }
}
