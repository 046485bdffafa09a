import { words } from "../../words/words";

export const overviewWords = words({
  en: {
    title: "What Spring Boot’s embedded servers cost",
    "no-regressions": "No regression is open.",
    regressions: "Open regressions: {count}",
    "all-regressions": "All {count}",
    measured: "{count} cases, each as it was measured last; the newest on {day}, commit",
    care: "Some to read with care: {marks}.",
    load: "{workload}, {connections} connections",
    "answer.nothing": "Nothing that may be ranked was measured.",
    "answer.ideal-all": "All {all} serve what the delay allows: nothing is left to gain.",
    "answer.ideal": "{reach} of {all} serve what the delay allows; {worst} serves {share} of it.",
    "answer.all-tied":
      "No difference can be told: all are within each other’s intervals, at about {rate}.",
    "answer.tied": "{best} are tied at about {rate}, {ahead} ahead of {next}.",
    "answer.best": "{best} is fastest with {rate}, {ahead} ahead of {next}.",
    "heat.of-ideal":
      "Share of the ideal: what connections and the delay allow. Below it, the rate, what bound it, and the steps found within a week.",
    "heat.of-best":
      "Share of the best. Below it, the rate, what bound it, and the steps found within a week.",
    "heat.week": "{change} within a week",
    "heat.week-suspected": "{change} suspected",
    "heat.interval": "95 % interval {low} to {high}, {forks} forks",
    "heat.one-fork": "one fork, no interval",
  },
  zh: {
    title: "Spring Boot 内嵌服务器的开销",
    "no-regressions": "目前没有未处理的性能回退。",
    regressions: "未处理的性能回退：{count}",
    "all-regressions": "全部 {count} 个",
    measured: "{count} 个用例，均取各自最近一次的测量结果；最新一次为 {day}，提交",
    care: "部分结果需谨慎看待：{marks}。",
    load: "{workload}，{connections} 个连接",
    "answer.nothing": "没有可以排名的测量结果。",
    "answer.ideal-all": "全部 {all} 个都达到了延迟所允许的上限，已无可提升。",
    "answer.ideal": "{all} 个中有 {reach} 个达到了延迟所允许的上限；{worst} 只达到 {share}。",
    "answer.all-tied": "看不出差别：各变体的区间相互重叠，均约为 {rate}。",
    "answer.tied": "{best} 并列领先，均约 {rate}，比 {next} 高 {ahead}。",
    "answer.best": "{best} 最快，达 {rate}，比 {next} 高 {ahead}。",
    "heat.of-ideal":
      "占理想值（连接数与延迟所允许的上限）的比例。下方为速率、限制因素，以及一周内发现的阶跃。",
    "heat.of-best": "占最佳者的比例。下方为速率、限制因素，以及一周内发现的阶跃。",
    "heat.week": "一周内 {change}",
    "heat.week-suspected": "疑似 {change}",
    "heat.interval": "95 % 区间 {low} 至 {high}，{forks} 个 fork",
    "heat.one-fork": "仅一个 fork，没有区间",
  },
});
