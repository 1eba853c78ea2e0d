// Opens of mails as they are kept with what is usual: fastify takes the request, checks the
// signature of its token, and PostgreSQL has a row of it, durably, before the picture is answered.
import { createHmac, timingSafeEqual } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

const [socket, port, secret] = process.argv.slice(2);
const CONNECTIONS = 20;
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

const pool = new pg.Pool({ host: socket, port: Number(port), user: 'postgres', database: 'postgres',
    max: CONNECTIONS });
await pool.query('CREATE TABLE IF NOT EXISTS opens (mail UUID NOT NULL, at TIMESTAMPTZ NOT NULL ' +
    'DEFAULT now(), agent TEXT)');
await pool.query('CREATE INDEX IF NOT EXISTS opens_mail ON opens (mail)');

const server = Fastify();
server.get('/t/o/:token', async (request, reply) => {
    const [mail, mark] = request.params.token.split('.');
    const right = createHmac('sha256', secret).update(mail).digest().subarray(0, 16);
    const given = Buffer.from(mark ?? '', 'base64url');
    if (given.length !== right.length || !timingSafeEqual(given, right)) return reply.code(404).send();
    await pool.query({ name: 'open', text: 'INSERT INTO opens (mail, agent) VALUES ($1, $2)',
        values: [mail, request.headers['user-agent']] });
    return reply.type('image/gif').header('Cache-Control', 'no-store, private').send(PICTURE);
});
await server.listen({ host: '127.0.0.1', port: 0 });
console.log(server.server.address().port);
