import { words } from "../../words/words";

export const scalingWords = words({
  en: {
    title: "Scaling",
    lead: "What becomes of throughput, latency and memory with more connections, and what limits each.",
    answer: "At {connections} connections {best} serves most, {most}; {worst} least, {least}.",
    "answer.tied":
      "At {connections} connections all are tied, between {most} ({best}) and {least} ({worst}).",
    "answer.theoreticalMax": "{count} of {all} are limited by the delay alone there.",
    "answer.nothing":
      "Nothing that may be ranked was measured at the largest number of connections.",
    care: "Some to read with care: {marks}.",
    "one-count": "{workload} was measured with one number of connections only: {connections}.",
    "one-count.remedy":
      "springbench run --connections 100,1000 measures several; once they are published they are drawn here. Another workload above may have several already.",
    "none-fits": "No variant fits these filters.",
    scale: "Scale of the charts",
    "scale.log": "Logarithmic",
    "scale.linear": "Linear",
    panel: "{metric} against connections: {workload}",
    "panel.throughput":
      "Higher is better. Dotted, where requests wait by design, the theoretical maximum: connections ÷ delay, which nothing can exceed.",
    "panel.label": "Chart: {title}. The table below has its numbers.",
    "better.higher": "Higher is better.",
    "better.lower": "Lower is better.",
    theoreticalMax: "theoreticalMax",
    bottlenecks: "What limits a point:",
    dashes: "Dashes tell how a server is run.",
    table: "The numbers as a table",
    "col.variant": "Variant",
    "col.interval": "95 % interval",
    "col.of-theoreticalMax": "Of max",
    "col.bottleneck": "Bottleneck",
    measured: "Each point is the newest of its case, measured as: {how}.",
  },
  zh: {
    title: "扩展性",
    lead: "连接数增加时吞吐量、延迟和内存如何变化，以及各自受什么限制。",
    answer: "{connections} 个连接时，{best} 最高，为 {most}；{worst} 最低，为 {least}。",
    "answer.tied":
      "{connections} 个连接时全部并列，介于 {most}（{best}）与 {least}（{worst}）之间。",
    "answer.theoreticalMax": "此时 {all} 个变体中有 {count} 个仅受延迟限制。",
    "answer.nothing": "最大连接数下没有可以排名的测量结果。",
    care: "部分结果需谨慎看待：{marks}。",
    "one-count": "“{workload}”只测量了一种连接数：{connections}。",
    "one-count.remedy":
      "springbench run --connections 100,1000 可测量多种连接数，发布后会显示在这里。也可在上面选择其他负载，可能已有多种连接数。",
    "none-fits": "没有符合筛选条件的变体。",
    scale: "图表坐标",
    "scale.log": "对数坐标",
    "scale.linear": "线性坐标",
    panel: "{metric}随连接数的变化：{workload}",
    "panel.throughput":
      "越高越好。对于按设计需要等待的负载，虚线为理想值（连接数 ÷ 延迟），不可能超过。",
    "panel.label": "图表：{title}。数值见下方表格。",
    "better.higher": "越高越好。",
    "better.lower": "越低越好。",
    theoreticalMax: "理想值",
    bottlenecks: "各点的限制因素：",
    dashes: "线型区分运行方式。",
    table: "以表格显示数值",
    "col.variant": "变体",
    "col.interval": "95 % 区间",
    "col.of-theoreticalMax": "占理想值",
    "col.bottleneck": "限制因素",
    measured: "每个点均为该用例最近一次的测量结果，测量方式：{how}。",
  },
});
