/** The machines of a run: what they are, what the server was allowed, and what measured it. */

import { useWords } from "../../app/context";
import type { Shard } from "../../data/published";
import { change, moment, oneLine, quantity } from "../../words/format";
import { Fact } from "./fact";
import { minutes } from "./facts";
import { runWords } from "./words";

export function Hosts({ shards }: { readonly shards: readonly Shard[] }) {
  const text = useWords(runWords);
  return (
    <section aria-labelledby="run-hosts">
      <h2 id="run-hosts">{text("host.title")}</h2>
      {shards.map((shard, at) => (
        <div key={shard.run}>
          {shards.length > 1 && (
            <h3>{text("host.part", { part: at + 1, id: oneLine(shard.run) })}</h3>
          )}
          <dl class="facts">
            <Machine host={shard.host} />
            {!shard.tools.harness && <Limits host={shard.host} />}
            <Tools tools={shard.tools} />
            <Canary shard={shard} />
          </dl>
        </div>
      ))}
    </section>
  );
}

function Machine({ host }: { readonly host: Shard["host"] }) {
  const text = useWords(runWords);
  return (
    <>
      <Fact name={text("host.class")}>
        <code>{oneLine(host.class)}</code>
      </Fact>
      <Fact name={text("host.cpu")}>
        {text("host.cpus", { cores: host.cores, model: oneLine(host.cpu_model) })}
      </Fact>
      <Fact name={text("host.memory")}>{quantity(host.memory_bytes, "bytes")}</Fact>
      <Fact name={text("host.os")}>{oneLine(host.os)}</Fact>
      <Fact name={text("host.kernel")}>{oneLine(host.kernel)}</Fact>
      <Fact name={text("host.virtual")}>{oneLine(host.virtualisation || text("host.none"))}</Fact>
    </>
  );
}

function Limits({ host }: { readonly host: Shard["host"] }) {
  const text = useWords(runWords);
  const limited = (what: string, by: string) =>
    by === "nothing" ? text("host.not-limited") : text("host.enforced", { what, by: oneLine(by) });
  return (
    <>
      <Fact name={text("host.server-cpus")}>
        {limited(String(host.server_cpus), host.cpus_enforced_by)}
      </Fact>
      <Fact name={text("host.limit")}>
        {limited(quantity(host.memory_limit_bytes, "bytes"), host.memory_enforced_by)}
      </Fact>
    </>
  );
}

function Tools({ tools }: { readonly tools: Shard["tools"] }) {
  const text = useWords(runWords);
  const boots = Object.entries(tools.boots ?? {}).map(([line, version]) => `${line} ${version}`);
  return (
    <>
      {tools.harness && <Fact name={text("tool.harness")}>{oneLine(tools.harness)}</Fact>}
      {tools.jdk && <Fact name={text("tool.jdk")}>{oneLine(tools.jdk)}</Fact>}
      {boots.length > 0 && <Fact name={text("tool.boots")}>{oneLine(boots.join(", "))}</Fact>}
      {tools.wrk && <Fact name="wrk">{oneLine(tools.wrk)}</Fact>}
      {tools.oha && <Fact name="oha">{oneLine(tools.oha)}</Fact>}
      {tools.h2load && <Fact name="h2load">{oneLine(tools.h2load)}</Fact>}
      <Fact name="springbench">{oneLine(tools.springbench)}</Fact>
    </>
  );
}

function Canary({ shard }: { readonly shard: Shard }) {
  const text = useWords(runWords);
  const { canary_cpu_probe_s: probe_s, canary_error_ratio: off } = shard;
  return (
    <>
      <Fact name={text("host.started")}>
        {moment(shard.started_at)}
        {shard.measured_s > 0 && `, ${text("duration", minutes(shard.measured_s))}`}
      </Fact>
      {typeof probe_s === "number" && (
        <Fact name={text("host.probe")}>{quantity(probe_s, "s")}</Fact>
      )}
      {typeof off === "number" && (
        <Fact name={text("host.canary")}>
          {text("host.canary-off", { ratio: change(1 + off) })}
        </Fact>
      )}
    </>
  );
}
