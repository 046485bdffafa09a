package dev.springbench.common;

/** Why a relay gave no answer. */
public final class UpstreamFailure extends RuntimeException {

    private final ErrorBody body;

    private UpstreamFailure(ErrorBody body, Throwable cause) {
        super(body.message(), cause, false, false);
        this.body = body;
    }

    public static UpstreamFailure unusable(Throwable cause) {
        return new UpstreamFailure(ErrorBody.badGateway(), cause);
    }

    public static UpstreamFailure late(Throwable cause) {
        return new UpstreamFailure(ErrorBody.gatewayTimeout(), cause);
    }

    public ErrorBody body() {
        return body;
    }
}
