import { expect, test } from "vitest";
import { commitAddress, compareAddress, runAddress } from "../../src/data/links";
import { nameOf, repositoryOf } from "../../src/data/repository";

const SHA = "0123456789ab";

test("a commit of an https repository has an address", () => {
  expect(commitAddress("https://github.com/owner/name", SHA)).toBe(
    "https://github.com/owner/name/commit/0123456789ab",
  );
  expect(commitAddress("https://github.com/owner/name.git/", SHA)).toBe(
    "https://github.com/owner/name/commit/0123456789ab",
  );
});

test.each([
  ["javascript:alert(1)", SHA],
  ["data:text/html,x", SHA],
  ["http://github.com/owner/name", SHA],
  ["https://user:secret@github.com/owner/name", SHA],
  ["not an address", SHA],
  [null, SHA],
  ["https://github.com/owner/name", "../../evil"],
  ["https://github.com/owner/name", 'abc"onclick='],
])("%s with %s is no link", (repository, sha) => {
  expect(commitAddress(repository, sha)).toBeNull();
});

test("a project's GitHub Pages belong to that project", () => {
  const page = new URL("https://owner.github.io/name/index.html");
  expect(repositoryOf(page, undefined)).toBe("https://github.com/owner/name");
  expect(repositoryOf(page, "https://git.example/a/b")).toBe("https://git.example/a/b");
  expect(repositoryOf(new URL("https://bench.example/"), undefined)).toBeNull();
});

test.each([
  ["https://github.com/octo/bench/actions/runs/7", "https://github.com/octo/bench/actions/runs/7"],
  ["https://github.com/octo/other/actions/runs/7", null],
  ["https://evil.example/octo/bench/actions/runs/7", null],
  ["javascript:alert(1)//actions/runs/7", null],
  ["https://github.com/octo/bench/actions/runs/7?x=<b>", null],
  [null, null],
])("a run links only below the repository: %s", (url, address) => {
  expect(runAddress("https://github.com/octo/bench", url)).toBe(address);
  expect(runAddress(null, url)).toBeNull();
});

test("two commits are compared only below the repository, and only by their hashes", () => {
  const [before, after] = ["0123456789ab", "ba9876543210"];
  expect(compareAddress("https://github.com/octo/bench.git", before, after)).toBe(
    "https://github.com/octo/bench/compare/0123456789ab...ba9876543210",
  );
  expect(compareAddress(null, before, after)).toBeNull();
  expect(compareAddress("https://github.com/octo/bench", "../x", after)).toBeNull();
  expect(compareAddress("https://github.com/octo/bench", before, "main?x")).toBeNull();
  expect(compareAddress("javascript:alert(1)", before, after)).toBeNull();
});

test.each([
  ["https://github.com/owner/orders", "orders"],
  ["https://git.example/group/orders/", "orders"],
  [null, "springbench"],
])("the dashboard of %s is called %s", (repository, name) => {
  expect(nameOf(repository)).toBe(name);
});
