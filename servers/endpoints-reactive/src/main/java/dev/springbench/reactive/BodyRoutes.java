package dev.springbench.reactive;

import dev.springbench.common.Bytes;
import dev.springbench.common.HeaderUse;
import dev.springbench.common.Invoice;
import dev.springbench.common.Invoices;
import dev.springbench.common.Texts;
import jakarta.validation.Valid;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Many headers, and bodies of some size, in non-blocking code. */
@RestController
class BodyRoutes {

    private final Invoices invoices = new Invoices();

    @GetMapping(path = "/headers", produces = Texts.CONTENT_TYPE)
    Mono<ResponseEntity<String>> headers(
            ServerHttpRequest request,
            @RequestParam(defaultValue = "10") int gets,
            @RequestParam(defaultValue = "10") int lists,
            @RequestParam(defaultValue = "1") int walks,
            @RequestParam(defaultValue = "10") int sets) {
        HttpHeaders answered = new HttpHeaders();
        String read = new HeaderUse(gets, lists, walks, sets).on(request.getHeaders(), answered);
        return Mono.just(ResponseEntity.ok().headers(answered).body(read));
    }

    @GetMapping(path = "/download", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    Mono<byte[]> download() {
        return Mono.just(Bytes.mebibyte());
    }

    @PostMapping(path = "/upload", produces = Texts.CONTENT_TYPE)
    Mono<String> upload(@RequestBody Flux<DataBuffer> body) {
        return body.reduce(0L, BodyRoutes::count).map(Bytes::received);
    }

    @PostMapping(path = "/json-in", produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<Invoice> jsonIn(@Valid @RequestBody Mono<Invoice> invoice) {
        return invoice.map(Invoice::withTotals);
    }

    @GetMapping(path = "/document", produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<Invoice> document() {
        return Mono.just(invoices.nextLong());
    }

    private static long count(long bytes, DataBuffer piece) {
        try {
            return bytes + piece.readableByteCount();
        } finally {
            DataBufferUtils.release(piece);
        }
    }
}
