package dev.springbench.reactive;

import dev.springbench.common.Channel;
import dev.springbench.common.Delays;
import dev.springbench.common.Invoice;
import dev.springbench.common.Invoices;
import dev.springbench.common.OrderId;
import dev.springbench.common.Texts;
import dev.springbench.common.ThreadKind;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The routes in non-blocking code. */
@RestController
class Routes {

    private final Invoices invoices = new Invoices();
    private final Upstream upstream;

    Routes(Upstream upstream) {
        this.upstream = upstream;
    }

    @GetMapping(path = "/hello", produces = Texts.CONTENT_TYPE)
    Mono<String> hello() {
        return Mono.just(Texts.HELLO);
    }

    @GetMapping(path = "/json", produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<Invoice> json() {
        return Mono.just(invoices.next());
    }

    @GetMapping(path = "/pay", produces = Texts.CONTENT_TYPE)
    Mono<String> pay(@RequestParam(required = false) String orderId) {
        OrderId order = OrderId.parse(orderId);
        return Mono.delay(Delays.PAY).map(tick -> Channel.random().receipt(order));
    }

    @GetMapping(path = "/task", produces = Texts.CONTENT_TYPE)
    Mono<String> task() {
        return Mono.delay(Delays.TASK).thenReturn(Texts.TASK);
    }

    @GetMapping(path = "/upstream", produces = Texts.CONTENT_TYPE)
    Mono<byte[]> upstream() {
        return upstream.fetch();
    }

    @GetMapping(path = "/thread", produces = Texts.CONTENT_TYPE)
    Mono<String> thread() {
        return Mono.fromSupplier(() -> kind(Thread.currentThread()).text());
    }

    private static ThreadKind kind(Thread thread) {
        return Schedulers.isNonBlockingThread(thread) ? ThreadKind.EVENT_LOOP : ThreadKind.ofBlocking(thread);
    }
}
