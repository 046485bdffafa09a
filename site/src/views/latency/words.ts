import { words } from "../../words/words";

export const latencyWords = words({
  en: {
    title: "Latency",
    lead: "How long requests take while they keep coming at a constant rate, whatever became of the others.",
    nothing: "None of the newest results was loaded at a constant rate.",
    "nothing.remedy": "springbench run --rates 50,80 does that, and so does the profile latency.",
    rate: "Rate",
    "rate.50": "50 % of the capacity",
    "rate.80": "80 % of the capacity",
    care: "Some to read with care: {marks}.",
    "none-counts":
      "No latency at this rate counts: the servers fell behind, or something else took the time. The reports of the runs say why.",
    "none-fits": "No variant fits these filters.",
    answer:
      "99 of 100 requests end within {least} with {best}, and within {most} with {worst}: each at the same share of what it can do.",
    "answer.same":
      "99 of 100 requests end within {least} with {best} and within {most} with {worst}. They are tied: the difference is within the noise.",
    "answer.unranked":
      "99 of 100 requests end within {least} with {best} and within {most} with {worst}. They are not ranked: that takes two rounds of fresh processes in one run.",
    "chart.50": "Latency by percentile, at 50 % of the capacity",
    "chart.80": "Latency by percentile, at 80 % of the capacity",
    "chart.meaning":
      "A latency counts from when its request was due, so waiting counts in full. Lower is better; a line that climbs steeply has few, but very slow requests.",
    "chart.short": "Each counts from when its request was due. Lower is better.",
    "chart.label": "Chart: {title}. The table below has its numbers.",
    axis: "of the requests took no longer",
    table: "The numbers as a table",
    "table.meaning":
      "The middle one of the forks; below it the least and the most. Each variant is offered a share of its own throughput, so the rates differ.",
    "col.variant": "Variant",
    "col.offered": "Offered",
    measured: "Each is the newest of its case that was loaded so, measured as: {how}.",
  },
  zh: {
    title: "延迟",
    lead: "请求以恒定速率不断到来（不管先前的请求结果如何）时，每个请求需要多久。",
    nothing: "最新结果中没有以恒定速率施加负载的。",
    "nothing.remedy": "springbench run --rates 50,80 或 latency 配置可以这样测量。",
    rate: "速率",
    "rate.50": "最大能力的 50 %",
    "rate.80": "最大能力的 80 %",
    care: "部分结果需谨慎看待：{marks}。",
    "none-counts":
      "该速率下没有有效的延迟：服务器跟不上，或时间被其他因素占用。运行报告中说明了原因。",
    "none-fits": "没有符合筛选条件的变体。",
    answer:
      "100 个请求中的 99 个，{best} 在 {least} 内完成，{worst} 在 {most} 内完成；两者都承受各自能力的同一比例。",
    "answer.same":
      "100 个请求中的 99 个，{best} 在 {least} 内完成，{worst} 在 {most} 内完成；各 fork 相差太大，无法区分两者。",
    "answer.unranked":
      "100 个请求中有 99 个，{best} 在 {least} 内完成，{worst} 在 {most} 内完成。两者未排名：排名需要同一次运行中至少两轮新进程。",
    "chart.50": "各百分位的延迟，负载为最大能力的 50 %",
    "chart.80": "各百分位的延迟，负载为最大能力的 80 %",
    "chart.meaning":
      "延迟从请求应当发出的时刻算起，因此等待时间全部计入。越低越好；陡升的曲线表示有少数非常慢的请求。",
    "chart.short": "从请求应当发出的时刻算起。越低越好。",
    "chart.label": "图表：{title}。数值见下方表格。",
    axis: "的请求不超过此时长",
    table: "以表格显示数值",
    "table.meaning":
      "各 fork 的中位数，其下为最小值和最大值。每个变体承受的是自身吞吐量的一定比例，因此速率各不相同。",
    "col.variant": "变体",
    "col.offered": "施加的速率",
    measured: "每项都是该用例最新一次以恒定速率测量的结果，测量方式：{how}。",
  },
});
