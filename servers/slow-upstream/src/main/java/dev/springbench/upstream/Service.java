package dev.springbench.upstream;

import io.netty.buffer.ByteBuf;

/** What all connections share, and which requests are answered without a delay. */
record Service(DelaySequence delays, Gate gate, Stats stats, int threads) {

    /** @return null for a request that is answered slowly */
    ByteBuf immediate(RequestHead request) {
        boolean get = request.method().equals("GET");
        if (get && request.path().equals("/stats")) {
            return Responses.json(stats.toJson(delays, threads));
        }
        if (get) {
            return null;
        }
        if (request.method().equals("POST") && request.path().equals("/stats/reset")) {
            stats.reset();
            delays.restart();
            return Responses.reset();
        }
        if (request.method().equals("POST") && request.path().equals("/v1/traces")) {
            stats.traced();
            return Responses.traced();
        }
        return Responses.Error.WRONG_METHOD.bytes();
    }
}
