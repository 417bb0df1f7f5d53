"""Says for ever that it is not serving yet."""

from grpc_health.v1 import health_pb2
from politely import PoliteBot


class NeverServing(PoliteBot):
    status = health_pb2.HealthCheckResponse.NOT_SERVING


if __name__ == "__main__":
    NeverServing().serve()
