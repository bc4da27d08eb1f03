"""A server on the official library, of the newest protocol: its tool `grow` brings another one."""

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("modern", log_level="CRITICAL")


@server.tool()
async def grow(context: Context) -> str:
    """Bring another tool, and say so to those who listen."""
    server.tool()(fruit)
    await context.notify_tools_changed()
    return "grown"


async def fruit() -> str:
    """What has grown."""
    return "apple"


if __name__ == "__main__":
    server.run()
