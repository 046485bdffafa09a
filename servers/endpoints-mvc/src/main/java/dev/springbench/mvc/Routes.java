package dev.springbench.mvc;

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

/** The routes in plain blocking code. */
@RestController
class Routes {

    private final Invoices invoices = new Invoices();
    private final Upstream upstream;

    Routes(Upstream upstream) {
        this.upstream = upstream;
    }

    @GetMapping(path = "/hello", produces = Texts.CONTENT_TYPE)
    String hello() {
        return Texts.HELLO;
    }

    @GetMapping(path = "/json", produces = MediaType.APPLICATION_JSON_VALUE)
    Invoice json() {
        return invoices.next();
    }

    @GetMapping(path = "/pay", produces = Texts.CONTENT_TYPE)
    String pay(@RequestParam(required = false) String orderId) throws InterruptedException {
        OrderId order = OrderId.parse(orderId);
        Thread.sleep(Delays.PAY);
        return Channel.random().receipt(order);
    }

    @GetMapping(path = "/task", produces = Texts.CONTENT_TYPE)
    String task() throws InterruptedException {
        Thread.sleep(Delays.TASK);
        return Texts.TASK;
    }

    @GetMapping(path = "/upstream", produces = Texts.CONTENT_TYPE)
    byte[] upstream() {
        return upstream.fetch();
    }

    @GetMapping(path = "/thread", produces = Texts.CONTENT_TYPE)
    String thread() {
        return ThreadKind.ofBlocking(Thread.currentThread()).text();
    }
}
