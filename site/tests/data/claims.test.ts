import { expect, test } from "vitest";
import { CLAIMS, evaluatedClaims, openClaims } from "../../src/data/claims";
import { documents } from "../documents";

const [row] = documents({ runs: 1, cases: 1 }).index.classes;
if (row === undefined) throw new Error("no class");
const { claims, ...older } = row;

test("verdicts stand with their claims, in the order of these; of an unknown one there is none", () => {
  expect(claims).toHaveLength(3);
  const ids = evaluatedClaims(row).map(({ claim }) => claim.id);
  expect(ids).toEqual(CLAIMS.map(({ id }) => id).filter((id) => ids.includes(id)));
  expect(ids).toHaveLength(2);
});

test("every claim is evaluated or open", () => {
  expect(openClaims(row)).toHaveLength(CLAIMS.length - 2);
  expect(openClaims(older)).toEqual(CLAIMS);
  expect(evaluatedClaims(older)).toEqual([]);
});

test("each claim has a source, and a command", () => {
  for (const { id, address, command } of CLAIMS) {
    expect(address).toMatch(/^https?:\/\/\S+$/);
    expect(command).toBe(`springbench claims ${id}`);
  }
});
