import { words } from "../../words/words";

export const overviewWords = words({
  en: {
    title: "What Spring Boot’s embedded servers cost",
    "title.service": "What {name} costs",
    "no-regressions": "No regression is open.",
    regressions: "Open regressions: {count}",
    "all-regressions": "All {count}",
    measured: "{count} cases, each as it was measured last; the newest on {day}, commit",
    "measured.one": "One case, as it was measured last, on {day}, commit",
    care: "Some to read with care: {marks}.",
    load: "{workload}, {connections} connections",
    "answer.nothing": "Nothing that may be ranked was measured.",
    "answer.theoreticalMax-all": "All {all} serve what the delay allows: nothing is left to gain.",
    "answer.theoreticalMax":
      "{reach} of {all} serve what the delay allows; {worst} serves {share} of it.",
    "answer.alone": "{best} answers {rate}.",
    "answer.theoreticalMax-alone": "It serves what the delay allows: nothing is left to gain.",
    "answer.all-tied": "{best} are tied: their differences are within the noise.",
    "answer.tied": "{best} are tied; {next} reaches {share} of the best ({low} to {high}).",
    "answer.best": "{best} is the fastest; {next} reaches {share} of it ({low} to {high}).",
    "answer.unranked":
      "From {low} ({least}) to {high} ({most}), not ranked: that takes two rounds of fresh processes in one run.",
    "heat.of-theoreticalMax":
      "Share of the theoretical maximum: what connections and the delay allow. Below it, the rank range, the rate, what limits it, and the steps found within a week.",
    "heat.of-best":
      "Share of the best, with its rank range and 95 % interval. Below it, the rate, what limits it, and the steps found within a week.",
    "heat.rates": "The rate, what limits it, and the steps found within a week.",
    "heat.rank": "rank {rank}",
    "heat.week": "{change} within a week",
    "heat.week-suspected": "{change} suspected",
    "heat.interval": "95 % interval {low} to {high}, {forks} forks",
    "heat.one-fork": "one fork, no interval",
  },
  zh: {
    title: "Spring Boot 内嵌服务器的开销",
    "title.service": "{name} 的开销",
    "no-regressions": "目前没有未处理的性能回退。",
    regressions: "未处理的性能回退：{count}",
    "all-regressions": "全部 {count} 个",
    measured: "{count} 个用例，均取各自最近一次的测量结果；最新一次为 {day}，提交",
    "measured.one": "1 个用例，最近一次测量为 {day}，提交",
    care: "部分结果需谨慎看待：{marks}。",
    load: "{workload}，{connections} 个连接",
    "answer.nothing": "没有可以排名的测量结果。",
    "answer.theoreticalMax-all": "全部 {all} 个都达到了延迟所允许的上限，已无可提升。",
    "answer.theoreticalMax":
      "{all} 个中有 {reach} 个达到了延迟所允许的上限；{worst} 只达到 {share}。",
    "answer.alone": "{best}：{rate}。",
    "answer.theoreticalMax-alone": "它达到了延迟所允许的上限，已无可提升。",
    "answer.all-tied": "{best} 并列：差别在噪声之内。",
    "answer.tied": "{best} 并列领先；{next} 达到最佳者的 {share}（{low} 至 {high}）。",
    "answer.best": "{best} 最快；{next} 达到其 {share}（{low} 至 {high}）。",
    "answer.unranked":
      "从 {low}（{least}）到 {high}（{most}），未排名：排名需要同一次运行中至少两轮新进程。",
    "heat.of-theoreticalMax":
      "占理论最大值（连接数与延迟所允许的上限）的比例。下方为名次范围、速率、限制因素，以及一周内发现的阶跃。",
    "heat.of-best":
      "占最佳者的比例，及其名次范围和 95 % 区间。下方为速率、限制因素，以及一周内发现的阶跃。",
    "heat.rates": "速率、限制因素，以及一周内发现的阶跃。",
    "heat.rank": "名次 {rank}",
    "heat.week": "一周内 {change}",
    "heat.week-suspected": "疑似 {change}",
    "heat.interval": "95 % 区间 {low} 至 {high}，{forks} 个 fork",
    "heat.one-fork": "仅一个 fork，没有区间",
  },
});
