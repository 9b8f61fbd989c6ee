// A provider for promptfoo that answers each row with the expected of the golden set itself (PROOF_ROWS), so that
// every assertion has to pass. It adds the prompt it was given to PROOF_PROMPTS, since what a model would be asked
// has to be the input and nothing else.
const { appendFileSync, readFileSync } = require("node:fs");

const lines = readFileSync(process.env.PROOF_ROWS, "utf8").split("\n").filter(Boolean);
const expected = new Map(lines.map((line) => JSON.parse(line)).map((row) => [row.id, row.expected]));

module.exports = class Oracle {
  id() {
    return "oracle";
  }

  async callApi(prompt, context) {
    const id = context.test.metadata.evalset.id;
    appendFileSync(process.env.PROOF_PROMPTS, `${JSON.stringify({ id, prompt })}\n`);
    return { output: expected.get(id) ?? "" };
  }
};
